package aidb.recorder;

import aidb.live.Hook;
import aidb.live.Ours;
import aidb.text.Json;
import aidb.text.Obj;
import java.io.Closeable;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Records in a program that runs, for who reads at the other end of a socket. When that end is gone, however that came, the
 * classes are as they were before. Each recorder has a loader of its own, so that what is static here is of this one alone.
 *
 * <p>One thread of ours does it all: it puts the code in, sends what the program's threads have noted, watches how often they do,
 * and takes the code out.
 */
public final class Live implements ClassFileTransformer {
    private static final long TICK = 10_000_000; // ns
    private static final long JUDGED = 200_000_000; // ns in which hits are counted

    private static final int MOST_THREADS = 300; // whose stacks are looked at
    private static final int TOLD = 3;

    private static final Set<String> REMARKS = ConcurrentHashMap.newKeySet();
    private static Instrumentation by;

    private final Wish wish;
    private final LiveTargets targets;
    private final LiveRows rows;
    private final LiveLine line;
    private final long most;
    private final Nested nested = new Nested();
    private final Set<String> woven = ConcurrentHashMap.newKeySet(); // names of classes
    private final int number;
    private volatile boolean on = true;
    private volatile String failed; // why a class could not be woven

    private Live(Wish wish, LiveTargets targets, LiveRows rows, LiveLine line, long most) {
        this.wish = wish;
        this.targets = targets;
        this.rows = rows;
        this.line = line;
        this.most = most;
        number = Hook.add(rows);
        Sites.base = number * Hook.PLACES;
        Sites.last = Sites.base + Hook.PLACES - 1;
    }

    /** Its argument is the directory with the order and the socket. It returns at once: arming is told through the socket. */
    public static void begin(String dir, Instrumentation with) {
        Thread t = new Thread(null, () -> run(Path.of(dir), with), "aidb trace", 1 << 20, false);
        t.setDaemon(true);
        t.setContextClassLoader(null);
        t.start();
    }

    static void remark(String text) {
        if (REMARKS.size() < 5) {
            REMARKS.add(text);
        }
    }

    /** Loaded classes of the program of a name. */
    static List<Class<?>> known(String name) {
        return LiveTargets.loaded(by, name);
    }

    private static void run(Path dir, Instrumentation with) {
        Path socket = dir.resolve("s");
        try {
            if (!Ours.is(socket)) {
                return; // another user has taken the name
            }
        } catch (IOException gone) {
            return; // as below
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket)); LiveLine line = new LiveLine(channel)) {
            by = with;
            Reach.by = with;
            Hooks.live = true;
            Piece.hooks = "aidb/live/Hook";
            try {
                serve(dir, line);
            } catch (Wish.Refused refused) {
                line.end(Obj.of("refused", refused.getMessage(), "field", refused.field));
            } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
                line.end(Obj.of("refused", e.toString(), "field", ""));
            }
        } catch (IOException gone) {
            return; // who asked is not there any more
        } finally {
            close(Live.class.getClassLoader());
        }
    }

    private static int threads() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        return top.activeCount();
    }

    private static void close(ClassLoader loader) {
        try {
            ((Closeable) loader).close();
        } catch (IOException e) {
            return; // it was only read
        }
    }

    private static void serve(Path dir, LiveLine line) throws IOException {
        Obj order = (Obj) Json.parse(Agent.text(dir.resolve("order.json")));
        Wish wish = new Wish(dir.resolve("wish.json"));
        Hooks.wish = wish;
        LiveTargets targets = new LiveTargets(by, wish, order);
        List<Class<?>> classes = targets.find();
        wish.field = targets.field;
        Live live = new Live(wish, targets, new LiveRows(order, wish), line, Long.parseLong(order.text("most")));
        try {
            live.arm(classes);
            live.record();
        } finally {
            live.restore();
        }
        live.rows.send(line, true);
        line.end(live.state(Obj.of("done", true)));
    }

    private void arm(List<Class<?>> classes) {
        Map<Thread, Set<String>> before = standing();
        by.addTransformer(this, true);
        try {
            if (!classes.isEmpty()) {
                by.retransformClasses(classes.toArray(Class<?>[]::new));
            }
        } catch (UnmodifiableClassException | LinkageError e) {
            throw new IllegalStateException("the classes could not be changed: " + e);
        }
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
        if (woven.isEmpty() && !targets.later()) {
            throw targets.nothing();
        }
        underWay(before);
        line.add(Json.print(state(Obj.of("armed", true, "places", Sites.count(), "classes", woven.stream().sorted().toList(), "how", targets.how()))));
    }

    /** The methods in which each thread is. */
    private static Map<Thread, Set<String>> standing() {
        Map<Thread, Set<String>> all = new HashMap<>();
        if (threads() <= MOST_THREADS) {
            Thread.getAllStackTraces().forEach((t, stack) -> {
                all.put(t, Arrays.stream(stack).map(e -> e.getClassName() + "." + e.getMethodName()).collect(Collectors.toSet()));
            });
        }
        return all;
    }

    /** Says which calls run the old code still: what was put into a method is not in calls that began before. */
    private static void underWay(Map<Thread, Set<String>> before) {
        if (before.isEmpty()) {
            remark("a call that began before it was armed is not recorded; there are too many threads to say which these are");
            return;
        }
        Set<String> told = new TreeSet<>();
        Set<String> changed = Sites.methods();
        standing().forEach((t, now) -> now.stream().filter(m -> changed.contains(m) && before.getOrDefault(t, Set.of()).contains(m))
            .forEach(m -> told.add(m + " (thread " + t.getName() + ")")));
        if (!told.isEmpty()) {
            remark("seen under way before and after arming: " + told.stream().limit(TOLD).collect(Collectors.joining(", ")) + (told.size() > TOLD ? " and others" : "")
                + "; a call that began before it was armed runs its old code until it returns, and is not recorded");
        }
    }

    /** Goes on until the other end is gone. */
    private void record() throws IOException {
        long judged = System.nanoTime();
        long hits = 0;
        String told = "";
        while (line.open()) {
            rows.send(line, false);
            String now = Json.print(state(new Obj()));
            if (!now.equals(told)) {
                line.add(now);
                told = now;
            }
            line.flush();
            long time = System.nanoTime();
            if (on && time - judged >= JUDGED) {
                long rate = (rows.hits() - hits) * 1_000_000_000L / (time - judged);
                if (rate > most) {
                    restore();
                    rows.out = "the recorder was taken out: there were " + rate + " hits a second, more than the " + most + " that were allowed";
                }
                judged = time;
                hits = rows.hits();
            }
            LockSupport.parkNanos(TICK);
        }
    }

    private Obj state(Obj o) {
        rows.state(o);
        o.put("notes", List.copyOf(REMARKS));
        return o;
    }

    /** Takes the code out of all classes that it was put into. */
    private void restore() {
        if (!on) {
            return;
        }
        on = false;
        Hook.remove(number);
        by.removeTransformer(this);
        List<Class<?>> back = new ArrayList<>();
        for (Class<?> c : by.getAllLoadedClasses()) {
            if (woven.contains(c.getName()) && by.isModifiableClass(c)) {
                back.add(c);
            }
        }
        try {
            if (!back.isEmpty()) {
                by.retransformClasses(back.toArray(Class<?>[]::new));
            }
        } catch (UnmodifiableClassException | LinkageError e) {
            remark("the code that was put in does nothing any more, but could not be taken out: " + e);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (!on || name == null || loader == Live.class.getClassLoader()) {
            return null;
        }
        String type = name.replace('/', '.');
        try {
            String file = targets.file(loader, type, redefined, bytes);
            if (file == null) {
                return null;
            }
            if (!reaches(loader)) {
                remark(type + " is not recorded: its loader does not ask its parents");
                return null;
            }
            ClassFile in = new ClassFile(bytes);
            if (in.version < 49) {
                return null;
            }
            nested.add(in);
            byte[] made = new Weaver(wish, nested, in, file, loader).woven();
            if (made != null) {
                woven.add(type);
            }
            return made;
        } catch (ClassFile.Unfit | IllegalStateException e) {
            fail(type, e.getMessage(), redefined);
        } catch (RuntimeException | LinkageError e) {
            fail(type, e.toString(), redefined);
        }
        return null;
    }

    private void fail(String type, String why, Class<?> redefined) {
        String text = type + " is not recorded: " + why;
        if (redefined == null) {
            remark(text);
        } else {
            failed = text;
        }
    }

    /** Whether the classes of a loader find what is called of us. */
    private static boolean reaches(ClassLoader loader) {
        try {
            return Class.forName("aidb.live.Hook", false, loader) == Hook.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
