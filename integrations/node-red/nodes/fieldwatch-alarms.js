const { follow, listIn } = require('./following.js');

/** Sends a message for each change of an alarm event. */
module.exports = (RED) => {
  function FieldwatchAlarms(config) {
    RED.nodes.createNode(this, config);
    const server = RED.nodes.getNode(config.server);
    if (!server) return this.status({ fill: 'red', shape: 'ring', text: 'no server' });
    const severities = listIn(config.severities);
    const changes = listIn(config.changes);
    const query = { deviceIds: listIn(config.deviceIds), assetIds: listIn(config.assetIds) };
    follow(this, server, query, ({ type, data }) => {
      if (type !== 'alarm') return;
      const { change, event } = data;
      if (changes.length > 0 && !changes.includes(change)) return;
      if (severities.length > 0 && !severities.includes(event.severity)) return;
      this.send({ topic: change, payload: event, eventId: event.id, change });
    });
  }

  RED.nodes.registerType('fieldwatch-alarms', FieldwatchAlarms);
};
