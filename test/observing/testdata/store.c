// A store of numbers and texts that is asked over TCP in a part of Redis's protocol, and counts
// what it was asked.
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 32, keys = 64 };

typedef struct {
  int fd;
  size_t used;
  char query[4096];
  char *name, *key, *value;
} client;

static struct {
  long long stat_numcommands;
  long long sets, incrs;
  int clients;
} server;

static struct { char key[32], value[64]; } cells[keys];
static client clients[most];

static void addReply(client *c, const char *text) {
  if (write(c->fd, text, strlen(text)) < 0) c->used = 0;
}

static char *lookupKey(const char *key) {
  for (int i = 0; i < keys; i++) {
    if (!cells[i].key[0]) snprintf(cells[i].key, sizeof cells[i].key, "%s", key);
    if (!strcmp(cells[i].key, key)) return cells[i].value;
  }
  abort();
}

static void setCommand(client *c) {
  snprintf(lookupKey(c->key), sizeof cells[0].value, "%s", c->value);
  server.sets++;
  addReply(c, "+OK\r\n");
}

static void incrDecrCommand(client *c, long long incr) {
  char reply[64], *cell = lookupKey(c->key);
  long long value = atoll(cell), oldvalue = value;
  value += incr;
  snprintf(cell, sizeof cells[0].value, "%lld", value);
  server.incrs++;
  snprintf(reply, sizeof reply, ":%lld\r\n", oldvalue + incr);
  addReply(c, reply);
}

static void infoCommand(client *c) {
  char text[256], reply[300];
  snprintf(text, sizeof text, "total_commands_processed:%lld\r\ncmdstat_set:calls=%lld,\r\ncmdstat_incr:calls=%lld,\r\n",
           server.stat_numcommands, server.sets, server.incrs);
  snprintf(reply, sizeof reply, "$%zu\r\n%s\r\n", strlen(text), text);
  addReply(c, reply);
}

static void call(client *c, char *line) {
  char *rest;
  c->name = strtok_r(line, " ", &rest);
  c->key = strtok_r(NULL, " ", &rest);
  c->value = strtok_r(NULL, " ", &rest);
  if (c->name && !strcmp(c->name, "SET") && c->value) setCommand(c);
  else if (c->name && !strcmp(c->name, "INCR") && c->key) incrDecrCommand(c, 1);
  else if (c->name && !strcmp(c->name, "INFO")) infoCommand(c);
  else addReply(c, "+PONG\r\n");
  server.stat_numcommands++;
}

static int readQuery(client *c) {
  ssize_t n = read(c->fd, c->query + c->used, sizeof c->query - 1 - c->used);
  if (n <= 0) return 0;
  c->used += (size_t)n;
  c->query[c->used] = 0;
  char *from = c->query, *end;
  while ((end = strstr(from, "\r\n"))) {
    *end = 0;
    call(c, from);
    from = end + 2;
  }
  c->used -= (size_t)(from - c->query);
  memmove(c->query, from, c->used);
  return 1;
}

int main(int argc, char **argv) {
  int door = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[argc - 1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(door, (struct sockaddr *)&at, sizeof at) || listen(door, most)) return 1;
  for (;;) {
    struct pollfd wait[most + 1] = {{.fd = door, .events = POLLIN}};
    for (int i = 0; i < server.clients; i++) wait[i + 1] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
    int had = server.clients;
    if (poll(wait, (nfds_t)had + 1, -1) < 0) return 1;
    for (int i = had - 1; i >= 0; i--)
      if (wait[i + 1].revents && !readQuery(&clients[i])) {
        close(clients[i].fd);
        clients[i] = clients[--server.clients];
      }
    if (wait[0].revents && server.clients < most) {
      client *c = &clients[server.clients++];
      memset(c, 0, sizeof *c);
      c->fd = accept(door, NULL, NULL);
    }
  }
}
