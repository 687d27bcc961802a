package aidb.ending;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;

/**
 * Counts the objects of a program by their classes before it begins and when it ends: the JVM's own count, of those that
 * are reachable.
 */
public final class Agent {
    private static final String RECORDERS_HOOK = "JFR Shutdown Hook";

    private Agent() {}

    /** Its argument is the directory in which the counts are written down. */
    public static void premain(String dir, Instrumentation jvm) {
        Path into = Path.of(dir);
        count(into, "before");
        Thread recorder = withheld(jvm);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            count(into, "after");
            if (recorder != null) {
                recorder.run();
            }
        }, "aidb profile"));
    }

    /**
     * The Flight Recorder's hook, taken out of those that the JVM starts when it ends, all at once; null where it is not
     * found. The recorder writes down only samples that a collection of garbage has seen alive, and the count makes one: it
     * has to come first.
     */
    private static Thread withheld(Instrumentation jvm) {
        try {
            FlightRecorder.getFlightRecorder(); // adds its hook, and is started only after us
            jvm.redefineModule(Object.class.getModule(), Set.of(), Map.of(),
                Map.of("java.lang", Set.of(Agent.class.getModule())), Set.of(), Map.of());
            Class<?> registry = Class.forName("java.lang.ApplicationShutdownHooks");
            Field field = registry.getDeclaredField("hooks");
            field.setAccessible(true);
            synchronized (registry) {
                for (Object hook : ((Map<?, ?>) field.get(null)).keySet()) {
                    if (hook instanceof Thread thread && thread.getName().equals(RECORDERS_HOOK)) {
                        return Runtime.getRuntime().removeShutdownHook(thread) ? thread : null;
                    }
                }
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return null; // they run at once then, and the recorder may be the first: it has no samples, which is said
        }
        return null;
    }

    private static void count(Path dir, String name) {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()});
            Path part = dir.resolve(name + ".part");
            Files.writeString(part, (String) text);
            Files.move(part, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (JMException | IOException | RuntimeException | LinkageError e) {
            return; // nothing is there then, which its reader says
        }
    }
}
