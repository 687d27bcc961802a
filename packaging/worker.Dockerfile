# A worker's image: the server beside languages and debuggers. Take out what your programs do
# not need, or copy the binary into an image of your own. From the directory of a binary for
# Linux (CGO_ENABLED=0 go build -o aidb-mcp ./cmd/aidb-mcp):
#
#	docker build -f packaging/worker.Dockerfile -t aidb-mcp-worker .
FROM golang:1.26-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends \
        gcc g++ gdb python3 python3-venv python3-pip nodejs npm default-jdk-headless maven ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --chmod=0755 aidb-mcp /usr/bin/aidb-mcp
# The adapters lie where every user may read them; AIDB_HOME may be elsewhere and link to them.
RUN AIDB_HOME=/usr/share/aidb aidb-mcp adapters install python javascript cpp java && chmod -R a+rX /usr/share/aidb
RUN useradd --uid 1000 --create-home aidb && mkdir -p /workspace && chown aidb /workspace
WORKDIR /workspace
ENTRYPOINT ["/usr/bin/aidb-mcp"]
