// Imported before anything else, and kept to syntax that old versions can read, so that they get a
// sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Fieldwatch needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org.`,
  );
  process.exit(1);
}
