# Three stages: one compiles the TypeScript, one installs what runs, and the last one takes only what came out of both.
# Nothing here depends on the architecture: an image for arm64 is built in the same way as one for amd64.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The compiler runs no addon, so no install script is needed here.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json bundle.js ./
COPY src src
RUN npm run build && rm dist/.tsbuildinfo && chmod 755 dist/cli/main.js

FROM node:24-bookworm-slim AS dependencies
# For the SQLite addon, where there is no prebuilt one for this platform, or it cannot be fetched.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image has Node's headers, so that compiling downloads none. Of the addon only what is loaded stays.
RUN npm_config_nodedir=/usr/local npm ci --omit=dev \
  && rm -r node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/build -type f ! -name better_sqlite3.node -delete

FROM node:24-bookworm-slim
ARG VERSION=unknown
LABEL org.opencontainers.image.title="svc-mock" \
  org.opencontainers.image.description="A mock control plane: a stand-in server for the REST interface of a cloud database service" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production \
  SVC_MOCK_HOST=0.0.0.0 \
  SVC_MOCK_DB=/data/svc-mock.db
WORKDIR /app
COPY package.json LICENSE ./
COPY migrations migrations
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# Ids instead of the name node: Kubernetes' runAsNonRoot can only check a number.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/svc-mock && install -d -o 1000 -g 1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 4700
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["svc-mock", "wait", "--timeout", "2s"]
# Node is process 1 itself: the server handles SIGTERM, and starts no processes that somebody would have to reap.
# One helper thread for garbage collection: four would take the processors from the thread that answers.
ENTRYPOINT ["node", "--v8-pool-size=1", "/app/dist/cli/main.js"]
CMD ["serve"]
