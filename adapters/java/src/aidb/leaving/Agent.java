package aidb.leaving;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Notes which threads and processes a program has left running when the JVM is told to end, once they have had a
 * short time to end by themselves.
 *
 * Who has made a thread is known by a value that each thread inherits from the one that makes it: the JVM asks for
 * it while the thread is made, so that the stack is there to be read. No class is changed for that, and the program
 * cannot see it.
 */
public final class Agent {
    private static final long LIMIT = 300; // milliseconds that what is left may take to end
    private static final int DEEPEST = 200; // frames
    private static final int MOST = 500; // threads

    private static final Inherited INHERITED = new Inherited();
    private static Field values;
    private static Method entryOf;

    private Agent() {}

    /** How a thread was made: its own stack at that moment, then that of who has made that one, as far as it fits. */
    private static final class Made {
        final StackTraceElement[] frames;

        Made(StackTraceElement[] frames) {
            this.frames = frames;
        }
    }

    private static final class Inherited extends InheritableThreadLocal<Made> {
        @Override
        protected Made childValue(Made parent) {
            if (parent == null) {
                return null;
            }
            List<StackTraceElement> all = new ArrayList<>();
            add(all, new Throwable().getStackTrace());
            add(all, parent.frames);
            return new Made(all.toArray(new StackTraceElement[0]));
        }

        private static void add(List<StackTraceElement> all, StackTraceElement[] more) {
            for (StackTraceElement e : more) {
                if (all.size() < DEEPEST && !e.getClassName().startsWith("aidb.leaving.")) {
                    all.add(e);
                }
            }
        }
    }

    /** Its argument is the directory to note in. */
    public static void premain(String directory, Instrumentation by) throws ReflectiveOperationException {
        by.redefineModule(Thread.class.getModule(), Set.of(), Map.of(), Map.of("java.lang", Set.of(Agent.class.getModule())), Set.of(), Map.of());
        values = Thread.class.getDeclaredField("inheritableThreadLocals");
        values.setAccessible(true);
        entryOf = Class.forName("java.lang.ThreadLocal$ThreadLocalMap").getDeclaredMethod("getEntry", ThreadLocal.class);
        entryOf.setAccessible(true);
        Thread end = new Thread(null, new Runnable() { // no lambda expression: the first of a program takes long to make
            @Override
            public void run() {
                look(new File(directory));
            }
        }, "aidb-leaving", 0, false);
        Runtime.getRuntime().addShutdownHook(end);
        INHERITED.set(new Made(new StackTraceElement[0]));
    }

    private static void look(File directory) {
        try {
            File over = new File(directory, "over");
            over.createNewFile();
            long end = System.nanoTime() + LIMIT * 1_000_000;
            for (Thread t : candidates()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left > 0) {
                    t.join(left);
                }
            }
            File fresh = new File(directory, "left.new");
            try (PrintWriter out = new PrintWriter(fresh, StandardCharsets.UTF_8)) {
                write(out);
            }
            fresh.renameTo(new File(directory, "left"));
        } catch (IOException | InterruptedException | ReflectiveOperationException | RuntimeException e) {
            // it is not looked at then, which is said
        }
    }

    private static Made made(Thread t) throws ReflectiveOperationException {
        Object map = values.get(t);
        Object entry = map == null ? null : entryOf.invoke(map, INHERITED);
        if (entry == null) {
            return null;
        }
        Field value = entry.getClass().getDeclaredField("value");
        value.setAccessible(true);
        return (Made) value.get(entry);
    }

    /** Threads that were made by the main thread or below it, and are still there. */
    private static List<Thread> candidates() throws ReflectiveOperationException {
        List<Thread> list = new ArrayList<>();
        for (Thread t : Thread.getAllStackTraces().keySet()) {
            Made made = t == Thread.currentThread() ? null : made(t);
            if (made != null && made.frames.length > 0 && t.isAlive()) {
                list.add(t);
            }
        }
        return list;
    }

    /** Lines of words with tabs between: a thread, then where it was made and where it is. */
    private static void write(PrintWriter out) throws ReflectiveOperationException {
        List<Thread> all = candidates();
        for (Thread t : all.subList(0, Math.min(all.size(), MOST))) {
            Made made = made(t);
            StackTraceElement[] frames = t.getStackTrace();
            if (made == null || !t.isAlive()) {
                continue;
            }
            out.println("thread\t" + t.isDaemon() + "\t" + t.getState() + "\t" + plain(t.getName()));
            frames(out, "made", made.frames);
            frames(out, "at", frames);
        }
        if (all.size() > MOST) {
            out.println("unseen\t" + (all.size() - MOST) + " more threads were not looked at");
        }
        ProcessHandle.current().children().filter(ProcessHandle::isAlive).limit(MOST).forEach(
            p -> out.println("process\t" + p.pid() + "\t" + plain(p.info().commandLine().or(() -> p.info().command()).orElse(""))));
    }

    private static void frames(PrintWriter out, String kind, StackTraceElement[] frames) {
        for (StackTraceElement e : frames) {
            out.println(kind + "\t" + e.getClassName() + "\t" + e.getMethodName() + "\t" + e.getLineNumber() + "\t" + (e.getFileName() == null ? "" : e.getFileName()));
        }
    }

    private static String plain(String text) {
        return text.substring(0, Math.min(text.length(), 200)).replaceAll("\\s", " ");
    }
}
