# An image with the npm package and its dependencies. The build needs the sources, the image does not.
#
#   docker build -t fieldwatch .
#   docker run -v fieldwatch:/var/lib/fieldwatch -p 8080:8080 -p 1883:1883 fieldwatch
#
# It runs as an unprivileged user and writes nothing outside of its volume, so that --read-only works.
# BASE may be any Debian or Ubuntu image with Node 20.19 or newer, for amd64 and arm64.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY . .
RUN npm pack --pack-destination /tmp \
  && npm install --global --prefix /opt/fieldwatch --omit=dev --no-audit --no-fund /tmp/fieldwatch-*.tgz

FROM ${BASE}
ARG VERSION=0.1.0
# The release adds the revision and the address of its sources.
LABEL org.opencontainers.image.title="Fieldwatch" \
  org.opencontainers.image.description="Open, self-hosted device monitoring" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}"
RUN groupadd --gid 10001 fieldwatch \
  && useradd --uid 10001 --gid 10001 --home-dir /var/lib/fieldwatch --shell /usr/sbin/nologin fieldwatch \
  && install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/fieldwatch
COPY --from=build /opt/fieldwatch /opt/fieldwatch
ENV PATH=/opt/fieldwatch/bin:$PATH \
  FIELDWATCH_DATA_DIR=/var/lib/fieldwatch
USER 10001:10001
WORKDIR /var/lib/fieldwatch
VOLUME /var/lib/fieldwatch
EXPOSE 8080 1883
STOPSIGNAL SIGTERM
# A first start creates the database. With TLS on the HTTP port, replace the check by one of your own.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.FIELDWATCH_HTTP_PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["fieldwatch"]
