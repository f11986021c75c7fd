const { follow, listIn } = require('./following.js');

/** Sends a message for each new value. */
module.exports = (RED) => {
  function FieldwatchLive(config) {
    RED.nodes.createNode(this, config);
    const server = RED.nodes.getNode(config.server);
    if (!server) return this.status({ fill: 'red', shape: 'ring', text: 'no server' });
    const query = {
      deviceIds: listIn(config.deviceIds),
      variableIds: listIn(config.variableIds),
      assetIds: listIn(config.assetIds),
    };
    follow(this, server, query, ({ type, data }) => {
      if (type !== 'readings') return;
      for (const { variableId, deviceId, timestamp, value } of data) {
        this.send({ topic: variableId, payload: value, timestamp, deviceId, variableId });
      }
    });
  }

  RED.nodes.registerType('fieldwatch-live', FieldwatchLive);
};
