package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.ReferenceType;
import java.lang.reflect.Method;

/** What JDI remembers of a class whose code an agent has replaced. It forgets that by itself only where the debugger has replaced it. */
final class Stale {
    private Stale() {}

    static void forget(ReferenceType type) {
        try {
            Class<?> c = Class.forName("com.sun.tools.jdi.ReferenceTypeImpl");
            Method forgets = c.getDeclaredMethod("noticeRedefineClass");
            forgets.setAccessible(true);
            forgets.invoke(type);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new Failure("this JDK's debug interface cannot be told that %s has new code: %s", type.name(), e);
        }
    }
}
