/** The service, the organization, and the credentials of the nodes that use them. */
module.exports = (RED) => {
  function FieldwatchServer(config) {
    RED.nodes.createNode(this, config);
    const { url: baseUrl, organizationId } = config;
    const { apiKeyId, apiKeySecret, email, password } = this.credentials ?? {};
    this.organizationId = organizationId;
    this.client = clientOf(baseUrl, { apiKeyId, apiKeySecret });
    // The service lets people alone acknowledge, so that the audit log has a name.
    this.userClient = email ? clientOf(baseUrl, { email, password }) : null;
  }

  RED.nodes.registerType('fieldwatch-server', FieldwatchServer, {
    credentials: {
      apiKeyId: { type: 'text' },
      apiKeySecret: { type: 'password' },
      email: { type: 'text' },
      password: { type: 'password' },
    },
  });
};

/** The client is an ES module, which Node-RED loads no nodes from; it is created with its first use. */
function clientOf(baseUrl, credentials) {
  let client;
  return () => {
    client ??= import('@fieldwatch/client').then(({ createClient }) =>
      createClient({ baseUrl, credentials }),
    );
    return client;
  };
}
