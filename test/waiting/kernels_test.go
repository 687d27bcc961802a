//go:build linux

package waiting

var tongues = map[string]tongue{
	"go": {
		Folder: "go", File: "main.go", Start: A{"target": "."}, Limit: 60_000,
		Long: []string{"called", "closing", "counted", "missed", "ranged", "ring", "sent", "upgraded"},
		Kernels: []kernel{
			{"crossed", 1, []wait{
				{At: "wanted", For: "sync.Mutex.Lock of to.mu", Held: "goroutine", Taken: "taken", Made: "made-first"},
				{At: "wanted", For: "sync.Mutex.Lock of to.mu", Held: "goroutine", Taken: "taken", Made: "made-second"},
				{At: "both", For: "sync.WaitGroup.Wait of done"},
			}},
			{"twice", 1, []wait{{At: "second-time", For: "sync.Mutex.Lock of a.mu", Held: "goroutine 1 itself", Taken: "first-time"}}},
			{"recursive", 1, []wait{
				{At: "reads-again", For: "sync.RWMutex.RLock of table", Held: "which waits to write"},
				{At: "writes", For: "sync.RWMutex.Lock of table", Held: "goroutine 1", Taken: "reads"},
			}},
			{"receive", 0, []wait{{At: "receives", For: "chan receive from results"}}},
			{"group", 0, []wait{{At: "waits-for-workers", For: "sync.WaitGroup.Wait of workers"}}},
			{"cond", 0, []wait{{At: "waits-for-signal", For: "sync.Cond.Wait of changed"}}},
			{"select", 0, []wait{{At: "chooses", For: "select of <-jobs, results <- \"done\", <-quit (nil)"}}},
			{"full", 0, []wait{{At: "takes-a-place", For: "chan send to places"}}},
			{"once", 1, []wait{{At: "asks-again", For: "sync.Once.Do of config", Held: "goroutine 1 itself, which runs its function", Taken: "asks"}}},
			{"embedded", 0, []wait{
				{At: "worker-locks", For: "sync.Mutex.Lock of c", Held: "goroutine 1", Taken: "main-locks", Made: "makes-worker"},
				{At: "main-waits", For: "chan receive from done"},
			}},
			// One that waits on a condition has given its lock back: only the other is named.
			{"lent", 1, []wait{
				{At: "again", For: "sync.Mutex.Lock of mu", Held: "goroutine 1 itself", Taken: "steals"},
				{At: "lends", For: "sync.Cond.Wait of changed"},
			}},
			{"helped", 0, []wait{{At: "helped-again", For: "sync.Mutex.Lock of mu", Held: "not known"}}},
			{"sent", 0, []wait{{At: "sends", For: "chan send to results"}}},
			{"ranged", 0, []wait{{At: "ranges", For: "chan receive from jobs"}}},
			{"closing", 0, []wait{
				{At: "reads-jobs", For: "chan receive from jobs", Made: "makes-reader"},
				{At: "waits-before-close", For: "sync.WaitGroup.Wait of workers"},
			}},
			{"upgraded", 1, []wait{{At: "then-writes", For: "sync.RWMutex.Lock of table", Held: "goroutine 1 itself", Taken: "reads-first"}}},
			{"ring", 1, []wait{
				{At: "wanted", For: "sync.Mutex.Lock of to.mu", Held: "goroutine", Taken: "taken", Made: "sits-down"},
				{At: "all-eat", For: "sync.WaitGroup.Wait of done"},
			}},
			{"called", 1, []wait{{At: "second-time", For: "sync.Mutex.Lock of a.mu", Held: "goroutine 1 itself", Taken: "visits"}}},
			{"missed", 0, []wait{
				{At: "sends-result", For: "chan send to results", Made: "makes-sender"},
				{At: "waits-for-failure", For: "chan receive from failures"},
			}},
			{"counted", 0, []wait{{At: "one-too-many", For: "sync.WaitGroup.Wait of workers"}}},
		},
	},
	"python": {
		Folder: "python", File: "main.py", Start: A{"target": "main.py"}, Limit: 60_000,
		Kernels: []kernel{
			{"crossed", 1, []wait{
				{At: "wanted", For: "a lock: target.lock", Held: "thread back", Taken: "taken"},
				{At: "wanted", For: "a lock: target.lock", Held: "thread there", Taken: "taken"},
				{At: "joins", For: "the end of thread there", Held: "thread there, which has not ended"},
			}},
			{"twice", 1, []wait{{At: "second-time", For: "a lock: lock", Held: "thread MainThread itself", Taken: "first-time"}}},
			{"owner", 1, []wait{
				{At: "worker-locks", For: "a lock: lock (threading.RLock", Held: "thread MainThread", Taken: "main-locks"},
				{At: "main-joins", For: "the end of thread worker (join): worker", Held: "thread worker, which has not ended"},
			}},
			{"item", 0, []wait{{At: "gets", For: "an item: jobs (queue.Queue"}}},
			{"notified", 0, []wait{{At: "waits-for-notify", For: "a condition to be notified: changed"}}},
			{"places", 0, []wait{{At: "takes-a-place", For: "a semaphore: slots"}}},
			{"future", 0, []wait{
				{At: "job-waits", For: "the result of a future: inner"},
				{At: "main-waits", For: "the result of a future", Held: "ThreadPoolExecutor-0_0, which runs it"},
			}},
			{"tasks", 0, []wait{
				{At: "task-wants", For: "a lock: lock (asyncio.Lock", Held: "task keeper", Taken: "task-locks"},
				{At: "task-waits", For: "an event to be set: done"},
				{At: "gathers", For: "2 of 2 gathered to end", Held: "task keeper, which has not ended"},
			}},
			{"each_other", 1, []wait{
				{At: "awaits", For: "the end of task right", Held: "task right, which has not ended"},
				{At: "awaits", For: "the end of task left", Held: "task left, which has not ended"},
				{At: "awaits-both", For: "2 of 2 tasks to end", Held: "task left"},
			}},
		},
	},
	"java": {
		Folder: "java", File: "Hangs.java", Start: A{"target": "Hangs.java"}, Limit: 90_000,
		Kernels: []kernel{
			{"crossed", 1, []wait{
				{At: "wanted", For: "a monitor (synchronized): to", Held: "thread back", Taken: "entered"},
				{At: "wanted", For: "a monitor (synchronized): to", Held: "thread there", Taken: "entered"},
				{At: "joins", For: "the end of thread there (join): there", Held: "thread there, which has not ended"},
			}},
			{"reentrant", 1, []wait{
				{At: "worker-locks", For: "ReentrantLock.lock: lock", Held: "thread main", Taken: "main-locks"},
				{At: "main-joins", For: "the end of thread worker (join): worker", Held: "thread worker, which has not ended"},
			}},
			{"future", 0, []wait{{At: "gets", For: "CompletableFuture.get: reply"}}},
			{"itself", 1, []wait{{At: "joins-itself", For: "the end of thread main (join)", Held: "thread main itself"}}},
			{"permits", 0, []wait{{At: "takes-a-place", For: "Semaphore.acquire: places"}}},
			{"queue", 0, []wait{{At: "takes", For: "LinkedBlockingQueue.take: jobs"}}},
		},
	},
	"cpp": {
		Folder: "cpp", File: "hangs.cpp", Build: []string{"g++", "-std=c++17", "-g", "-O0", "-pthread", "-o", "hangs", "hangs.cpp"},
		Start: A{"target": "hangs", "mode": "exec", "language": "cpp"}, Limit: 10_000, Long: []string{"places", "notified"},
		Kernels: []kernel{
			{"crossed", 1, []wait{
				{At: "wanted", For: "a mutex: to->mu", Held: "thread", Taken: "taken"},
				{At: "joins", For: "(join): there", Held: "which has not ended"},
			}},
			{"twice", 1, []wait{{At: "second-time", For: "a mutex: ledger", Held: "itself", Taken: "first-time"}}},
			{"notified", 0, []wait{{At: "waits-for-notify", For: "a condition variable: changed"}}},
			{"writer", 1, []wait{
				{At: "reads", For: "a reader-writer lock: table", Held: "thread", Taken: "writes"},
				{At: "joins-reader", For: "(join): reader", Held: "which has not ended"},
			}},
			{"places", 0, []wait{{At: "takes-a-place", For: "a semaphore: slots"}}},
		},
	},
	"rust": {
		Folder: "rust", File: "src/main.rs", Build: []string{"cargo", "build", "--offline", "-q"}, Start: A{"target": "."}, Limit: 15_000, Long: []string{"notified"},
		Kernels: []kernel{
			{"crossed", 1, []wait{
				{At: "wanted", For: "a mutex: to", Held: "thread", Taken: "taken"},
				{At: "joins", For: "(join): there", Held: "which has not ended"},
			}},
			{"channel", 1, []wait{{At: "receives", For: "a message of a channel: queue", Held: "which keeps a sender of it (jobs)"}}},
			{"notified", 0, []wait{{At: "waits-for-notify", For: "a condition variable"}}},
		},
	},
}
