package aidb.bridge;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** What the JDK's sets and maps of enum constants hold. */
final class Enums {
    private Enums() {}

    /** The elements of a set: a bit for each constant. */
    static List<Contents.Entry> of(ObjectReference set) {
        long bits = ((PrimitiveValue) Contents.get(set, "elements")).longValue();
        List<Value> all = values(set, "universe");
        List<Contents.Entry> entries = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if ((bits >>> i & 1) != 0) {
                entries.add(new Contents.Entry(null, all.get(i)));
            }
        }
        return entries;
    }

    /** The constants that a map has a value for; a mark stands for null. */
    static List<Contents.Entry> entries(ObjectReference map) {
        List<Value> keys = values(map, "keyUniverse");
        List<Value> values = values(map, "vals");
        List<Contents.Entry> entries = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Value value = values.get(i);
            if (value != null) {
                entries.add(new Contents.Entry(keys.get(i), value.type().name().equals("java.util.EnumMap$1") ? null : value));
            }
        }
        return entries;
    }

    private static List<Value> values(ObjectReference of, String field) {
        return ((ArrayReference) Contents.get(of, field)).getValues();
    }
}
