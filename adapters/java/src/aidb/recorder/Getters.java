package aidb.recorder;

import aidb.asm.Opcodes;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The methods that only answer with a field of their object. */
final class Getters {
    private static final Map<String, String> FIELDS = new ConcurrentHashMap<>();

    private Getters() {}

    /** Remembers a method of a class, if it is one. */
    static void add(ClassFile in, ClassFile.Member m) {
        Code c = m.code;
        if (c.size() == 3 && !m.isStatic() && c.op(0) == Opcodes.ALOAD && c.slot(0) == 0 && c.op(1) == Opcodes.GETFIELD && c.returns(2)) {
            FIELDS.put(in.name.replace('/', '.') + "." + m.name, c.reference(1)[1]);
        }
    }

    /** The field that a method of a class only answers with; null when it does more. */
    static String fieldOf(Method m) {
        return m.getParameterCount() > 0 ? null : FIELDS.get(m.getDeclaringClass().getName() + "." + m.getName());
    }
}
