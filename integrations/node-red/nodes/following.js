/** Words of a field that are separated by commas or white space. */
function listIn(text) {
  return (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
}

/**
 * Follows the live stream of the service from the deployment of a node to its end. The client
 * reconnects by itself, and alarm events go on where they stopped.
 */
function follow(node, server, query, onEvent) {
  const closing = new AbortController();
  node.on('close', (done) => {
    closing.abort();
    done();
  });
  node.status({ fill: 'grey', shape: 'ring', text: 'connecting' });
  run().catch((error) => {
    if (closing.signal.aborted) return;
    node.status({ fill: 'red', shape: 'ring', text: error.message });
    node.error(error);
  });

  async function run() {
    const client = await server.client();
    const { organizationId } = server;
    const { signal } = closing;
    for await (const event of client.followLive({ organizationId, query }, { signal })) {
      if (event.type === 'ready') node.status({ fill: 'green', shape: 'dot', text: 'connected' });
      if (event.type === 'lost')
        node.status({ fill: 'yellow', shape: 'ring', text: 'reconnecting' });
      if (event.type === 'missed') node.warn(missedText(event.data));
      onEvent(event);
    }
  }
}

function missedText({ values, alarmEvents }) {
  const lost = [
    ...(values > 0 ? [`${values} values were dropped`] : []),
    ...(alarmEvents ? ['alarm events may be missing: query the alarm history'] : []),
  ];
  return lost.join('; ');
}

module.exports = { follow, listIn };
