package aidb.ending;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Counts the objects of a program by their classes before it begins and when it ends: the JVM's own count, of those that
 * are reachable.
 */
public final class Agent {
    private Agent() {}

    /** Its argument is the directory in which the counts are written down. */
    public static void premain(String dir) {
        Path into = Path.of(dir);
        count(into, "before");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> count(into, "after"), "aidb profile"));
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
