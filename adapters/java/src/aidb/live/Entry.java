package aidb.live;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;

/**
 * Brings a recorder into a running JVM. It stays there, with {@link Hook}, and serves recorders of later versions too: its
 * protocol must stay as it is. The recorder itself has a loader of its own, which goes when nobody holds it.
 */
public final class Entry {
    private Entry() {}

    /** Its argument is a file of lines: this archive, the recorder's archive, its class, and what that is given. */
    public static void agentmain(String order, Instrumentation by) throws IOException, ReflectiveOperationException {
        if (!Files.exists(Path.of(order))) {
            return; // who asked has not waited
        }
        if (!Ours.is(Path.of(order))) {
            return; // it is another's: who asked has gone
        }
        List<String> lines = Files.readAllLines(Path.of(order));
        try {
            Class.forName("aidb.live.Hook", false, null);
        } catch (ClassNotFoundException first) {
            define(new JarFile(lines.get(0)), by);
        }
        URL[] archive = {Path.of(lines.get(1)).toUri().toURL()};
        URLClassLoader loader = new URLClassLoader("aidb", archive, ClassLoader.getPlatformClassLoader());
        loader.loadClass(lines.get(2)).getMethod("begin", String.class, Instrumentation.class).invoke(null, lines.get(3), by);
    }

    /** Gives {@link Hook} to the boot loader. To append to its path would have the JVM share no classes from then on, and print that. */
    private static void define(JarFile from, Instrumentation by) throws IOException {
        try (InputStream in = from.getInputStream(from.getEntry("aidb/live/Hook.class"))) {
            byte[] bytes = in.readAllBytes();
            Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
            Map<String, Set<Module>> us = Map.of("jdk.internal.misc", Set.of(Entry.class.getModule()));
            by.redefineModule(Object.class.getModule(), Set.of(), us, Map.of(), Set.of(), Map.of());
            unsafe.getMethod("defineClass", String.class, byte[].class, int.class, int.class, ClassLoader.class, ProtectionDomain.class)
                .invoke(unsafe.getMethod("getUnsafe").invoke(null), "aidb/live/Hook", bytes, 0, bytes.length, null, null);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError other) {
            by.appendToBootstrapClassLoaderSearch(from); // a JVM that does not know that
        }
    }
}
