/** Writes the readings of a message, and passes on what became of them. */
module.exports = (RED) => {
  function FieldwatchReadings(config) {
    RED.nodes.createNode(this, config);
    const server = RED.nodes.getNode(config.server);
    this.on('input', async (message, send, done) => {
      try {
        const deviceId = message.deviceId ?? config.deviceId;
        if (!server) throw new Error('no server is chosen');
        if (!deviceId) throw new Error('neither the node nor the message names a Device');
        const client = await server.client();
        const { organizationId } = server;
        const body = bodyOf(message, config);
        const written = await client.writeReadings({ organizationId, deviceId, body });
        const { accepted, rejected } = written;
        const fill = rejected.length === 0 ? 'green' : 'yellow';
        const text = `${accepted} accepted, ${rejected.length} rejected`;
        this.status({ fill, shape: 'dot', text });
        send({ ...message, payload: written });
        done();
      } catch (error) {
        this.status({ fill: 'red', shape: 'ring', text: error.message });
        done(error);
      }
    });
  }

  RED.nodes.registerType('fieldwatch-readings', FieldwatchReadings);
};

/** An object is a payload of the service; a plain value needs the path of its Variable. */
function bodyOf({ payload, topic, timestamp }, { path }) {
  if (typeof payload === 'object' && payload !== null) return payload;
  const key = path || topic;
  if (!key)
    throw new Error('a plain value needs the path of its Variable, in the node or as topic');
  return {
    dataArray: [{ key, value: payload, ...(timestamp === undefined ? {} : { timestamp }) }],
  };
}
