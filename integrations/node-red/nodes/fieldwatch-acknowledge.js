/** Acknowledges the alarm event of a message. */
module.exports = (RED) => {
  function FieldwatchAcknowledge(config) {
    RED.nodes.createNode(this, config);
    const server = RED.nodes.getNode(config.server);
    this.on('input', async (message, send, done) => {
      try {
        const eventId = message.eventId ?? message.payload?.id;
        if (!server?.userClient) throw new Error('acknowledging needs a user: email and password');
        if (!eventId) throw new Error('the message names no alarm event');
        const client = await server.userClient();
        const note = message.note ?? config.note;
        const event = await client.acknowledgeAlarmEvent({
          organizationId: server.organizationId,
          eventId,
          body: note ? { note } : {},
        });
        this.status({ fill: 'green', shape: 'dot', text: event.alarmName });
        send({ ...message, payload: event });
        done();
      } catch (error) {
        this.status({ fill: 'red', shape: 'ring', text: error.message });
        done(error);
      }
    });
  }

  RED.nodes.registerType('fieldwatch-acknowledge', FieldwatchAcknowledge);
};
