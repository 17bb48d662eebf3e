# Three stages: one builds dist/, one builds the SQLite addon, and the last takes only what it runs. Nothing here depends
# on the architecture.

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Compiling needs no addon, so no install script.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json bundle.js sbom.js LICENSE ./
COPY generated generated
COPY docs/assumptions.md docs/
COPY src src
RUN npm run build && find dist -name '*.map' -delete -o -name '*.d.*ts' -delete \
  && chmod 755 dist/cli/main.js

FROM node:24-trixie-slim AS addon
# For platforms without a prebuilt addon, or networks that cannot fetch it.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image has Node's headers, so that compiling downloads none. Only what is loaded stays: of the addon its
# JavaScript and its binary, and the two packages that find the binary.
RUN --mount=type=cache,target=/root/.npm npm_config_nodedir=/usr/local npm ci --omit=dev \
  && cd node_modules && mkdir -p /addon/better-sqlite3/build/Release \
  && cp -r bindings file-uri-to-path /addon \
  && cp -r better-sqlite3/package.json better-sqlite3/lib better-sqlite3/LICENSE /addon/better-sqlite3 \
  && cp better-sqlite3/build/Release/better_sqlite3.node /addon/better-sqlite3/build/Release

FROM debian:trixie-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="svc-mock" \
  org.opencontainers.image.description="A mock control plane: a stand-in server for the REST interface of a cloud database service" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/svc-mock/svc-mock" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production \
  SVC_MOCK_HOST=0.0.0.0 \
  SVC_MOCK_DB=/data/svc-mock.db
# Only Node itself, without npm.
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY docker/healthy /usr/local/bin/healthy
WORKDIR /app
COPY package.json LICENSE ./
COPY migrations migrations
COPY --from=addon /addon node_modules
COPY --from=build /app/dist dist
# Ids instead of a user name: Kubernetes' runAsNonRoot can only check numbers.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/svc-mock && install -d -o 1000 -g 1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 4700
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["healthy"]
# Node is process 1: the server handles SIGTERM, and starts no processes that would need reaping.
# One helper thread for garbage collection: four would compete with the thread that serves requests.
ENTRYPOINT ["node", "--v8-pool-size=1", "/app/dist/cli/main.js"]
CMD ["serve"]
