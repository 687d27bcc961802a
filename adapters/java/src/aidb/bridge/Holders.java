package aidb.bridge;

import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.Value;
import java.util.function.Function;

/** Objects of the JDK that hold one value or two, read from their fields. */
final class Holders {
    private Holders() {}

    /** Null when the object is none that is known here. */
    static String text(ObjectReference object, Function<Value, String> show) {
        String type = object.referenceType().name();
        if (!type.startsWith("java.util.")) {
            return null;
        }
        try {
            if (type.equals("java.util.concurrent.CompletableFuture")) {
                return future(object, show);
            }
            if (Calls.distance(object.referenceType(), "java.util.Map$Entry") >= 0) {
                Field value = object.referenceType().fieldByName("value");
                value = value != null ? value : object.referenceType().fieldByName("val");
                return show.apply(Contents.get(object, "key")) + "=" + show.apply(object.getValue(value));
            }
        } catch (RuntimeException e) {
            return null; // another JDK may have it otherwise: then it is shown as any object
        }
        return null;
    }

    private static String future(ObjectReference object, Function<Value, String> show) {
        Value result = Contents.get(object, "result");
        if (result == null) {
            return "CompletableFuture (not completed)";
        }
        if (result instanceof ObjectReference boxed && boxed.referenceType().name().endsWith("CompletableFuture$AltResult")) {
            Value thrown = Contents.get(boxed, "ex"); // or null was what it completed with
            return thrown == null ? "CompletableFuture[null]" : "CompletableFuture (failed: " + show.apply(thrown) + ")";
        }
        return "CompletableFuture[" + show.apply(result) + "]";
    }
}
