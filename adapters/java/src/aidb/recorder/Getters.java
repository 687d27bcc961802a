package aidb.recorder;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The methods that only answer with a field of their object. */
final class Getters {
    private static final Map<String, String> FIELDS = new ConcurrentHashMap<>();

    private Getters() {}

    /** Remembers a method of a class, if it is one. */
    static void add(ClassBytes in, ClassBytes.Member m) {
        byte[] c = m.code.code;
        if (c.length == 5 && !m.isStatic() && c[0] == 0x2a && (c[1] & 0xff) == 0xb4 && (c[4] & 0xff) >= 0xac) {
            FIELDS.put(in.name.replace('/', '.') + "." + m.name, in.reference(ClassBytes.u2(c, 2))[1]);
        }
    }

    /** The field that a method of a class only answers with; null when it does more. */
    static String fieldOf(Method m) {
        return m.getParameterCount() > 0 ? null : FIELDS.get(m.getDeclaringClass().getName() + "." + m.getName());
    }
}
