//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// cycles holds records that lead back to themselves, by pointers of each kind.
const cycles = `#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Node { int id; Node *next, *prev; Node *others[4]; Node **table; std::string name; };
struct Tree { Tree *parent, *left, *right; int key; };
struct Shared {
  int id;
  std::shared_ptr<Shared> next;
  std::vector<std::shared_ptr<Shared>> all;
  std::map<std::string, std::shared_ptr<Shared>> by;
  std::list<Shared *> plain;
};

static Tree *make(int depth, Tree *parent, int *n) {
  if (depth == 0) return nullptr;
  Tree *t = new Tree{parent, nullptr, nullptr, (*n)++};
  t->left = make(depth - 1, t, n);
  t->right = make(depth - 1, t, n);
  return t;
}

int main() {
  Node ring[5];
  Node *table[5];
  for (int i = 0; i < 5; i++) {
    table[i] = &ring[i];
    ring[i] = {i, &ring[(i + 1) % 5], &ring[(i + 4) % 5], {&ring[0], &ring[1], &ring[2], &ring[3]}, table, "node"};
  }
  Node *head = ring;
  int n = 0;
  Tree *root = make(10, nullptr, &n);
  std::vector<std::shared_ptr<Shared>> shared;
  for (int i = 0; i < 8; i++) shared.push_back(std::make_shared<Shared>(Shared{i, {}, {}, {}, {}}));
  for (int i = 0; i < 8; i++) {
    shared[i]->next = shared[(i + 1) % 8];
    shared[i]->all = shared;
    for (int k = 0; k < 8; k++) {
      shared[i]->by["key " + std::to_string(k)] = shared[k];
      shared[i]->plain.push_back(shared[k].get());
    }
  }
  return head->next->id + root->key + shared[0]->next->id - 2;
}
`

// TestNativeCycles: what leads back to itself is shown, and what it is asked for.
func TestNativeCycles(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cycles.cpp"), cycles, 0o644)
	run(t, dir, "g++", "-g", "-O0", "-std=c++17", "-o", "cycles", "cycles.cpp")
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	for _, debugger := range viewers() {
		s.OK("session_start", A{
			"target": "cycles", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
			"breakpoints": []A{{"file": "cycles.cpp", "line": 45}},
		}).Stopped("stopped_at_breakpoint", "cycles.cpp:45").Contains([]string{"data", "locals", "ring"}, "id:0")
		for expression, want := range map[string]string{
			"head->next->next->id": "2", "root->left->left->parent->key": "1", "*root": "key:0", "ring[4].prev->id": "3",
		} {
			s.OK("inspect", A{"expression": expression}).Contains([]string{"data", "result", "v"}, want)
		}
		s.OK("inspect", A{"expression": "shared", "count": 8})
		s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
	}
}
