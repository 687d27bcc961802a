package aidb.recorder;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens what is private or in a module to us, as a debugger may. */
final class Reach {
    static Instrumentation by;
    private static final Field NONE;
    private static final Map<Class<?>, Map<String, Field>> KNOWN = new ConcurrentHashMap<>();

    static {
        try {
            NONE = Reach.class.getDeclaredField("by");
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private Reach() {}

    static boolean open(AccessibleObject member) {
        try {
            Class<?> of = ((Member) member).getDeclaringClass();
            Module module = of.getModule();
            Module ours = Reach.class.getModule();
            if (module.isNamed() && !module.isOpen(of.getPackageName(), ours)) {
                by.redefineModule(module, Set.of(), Map.of(), Map.of(of.getPackageName(), Set.of(ours)), Set.of(), Map.of());
            }
            member.setAccessible(true);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** The field of a class or of what it extends; null when there is none that can be read. */
    static Field field(Class<?> type, String name) {
        Field found = KNOWN.computeIfAbsent(type, t -> new ConcurrentHashMap<>()).computeIfAbsent(name, n -> find(type, n));
        return found == NONE ? null : found;
    }

    private static Field find(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            try {
                Field f = c.getDeclaredField(name);
                return open(f) ? f : NONE;
            } catch (NoSuchFieldException e) {
                for (Class<?> face : c.getInterfaces()) {
                    Field f = field(face, name);
                    if (f != null) {
                        return f;
                    }
                }
            }
        }
        return NONE;
    }

    /** What a field holds; null for what cannot be read too. */
    static Object get(Field f, Object of) {
        try {
            return f.get(of);
        } catch (IllegalAccessException | RuntimeException e) {
            return null;
        }
    }
}
