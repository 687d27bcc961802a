package java

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters"
)

const leftLines = "thread\ttrue\tWAITING\tworker-7\n" +
	"made\tjava.lang.Thread\t<init>\t418\tThread.java\n" +
	"made\tshop.Pool\tgrow\t12\tPool.java\n" +
	"made\tshop.PoolTest\tgrows\t30\tPoolTest.java\n" +
	"made\torg.junit.platform.commons.util.ReflectionUtils\tinvoke\t700\tReflectionUtils.java\n" +
	"at\tjdk.internal.misc.Unsafe\tpark\t-2\tUnsafe.java\n" +
	"at\tjava.util.concurrent.ArrayBlockingQueue\ttake\t420\tArrayBlockingQueue.java\n" +
	"at\tshop.Pool\twork\t20\tPool.java\n" +
	"thread\ttrue\tWAITING\tlibrary\n" + // a daemon that a library has made
	"made\tjava.lang.Thread\t<init>\t418\tThread.java\n" +
	"made\torg.lib.Cleaner\tstart\t9\tCleaner.java\n" +
	"made\tshop.PoolTest\tgrows\t31\tPoolTest.java\n" +
	"thread\tfalse\tRUNNABLE\tplugin\n" + // which no code of the user's has led to
	"made\torg.junit.Plugin\tstart\t9\tPlugin.java\n" +
	"process\t4711\t/usr/bin/sleep 60\n"

func TestLeftLines(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	for _, name := range []string{"Pool.java", "PoolTest.java"} {
		if err := os.MkdirAll(filepath.Join(root, "shop"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "shop", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := leftSources{newClassSources([]string{root})}
	if l := s.read(dir); l.Looked || l.ExitCode != nil || len(l.Unseen) > 0 {
		t.Errorf("of a program that has not come to its end: %+v", l)
	}
	if err := os.WriteFile(filepath.Join(dir, "over"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if l := s.read(dir); l.Looked || l.ExitCode == nil || len(l.Unseen) != 1 {
		t.Errorf("of a program that was gone too early: %+v", l)
	}
	if err := os.WriteFile(filepath.Join(dir, "left"), []byte(leftLines), 0o600); err != nil {
		t.Fatal(err)
	}
	got := s.read(dir)
	want := []adapters.LeftThing{
		{
			Kind: "thread", Name: "worker", Test: "PoolTest.grows", WaitsFor: "an item in a queue", Count: 1,
			Made: adapters.LeftPlace{File: filepath.Join(root, "shop", "Pool.java"), Line: 12, Function: "Pool.grow"},
			At:   adapters.LeftPlace{File: filepath.Join(root, "shop", "Pool.java"), Line: 20, Function: "Pool.work"},
		},
		{Kind: "process", Name: "4711 /usr/bin/sleep 60", Count: 1},
	}
	if !got.Looked || len(got.Things) != len(want) {
		t.Fatalf("it tells %+v, want %+v", got.Things, want)
	}
	for i, w := range want {
		if got.Things[i] != w {
			t.Errorf("row %d is\n%+v, want\n%+v", i, got.Things[i], w)
		}
	}
}
