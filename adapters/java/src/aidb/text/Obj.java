package aidb.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** A JSON object, built from pairs and read by name; absent and null are the same. */
public final class Obj extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1;

    /** Pairs of name and value; those whose value is null are left out. */
    public static Obj of(Object... pairs) {
        Obj made = new Obj();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] != null) {
                made.put((String) pairs[i], pairs[i + 1]);
            }
        }
        return made;
    }

    public String text(String name) {
        return get(name) instanceof String text ? text : "";
    }

    public int number(String name) {
        return (int) id(name);
    }

    public long id(String name) {
        return get(name) instanceof Number number ? number.longValue() : 0;
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(get(name));
    }

    public Obj object(String name) {
        return get(name) instanceof Obj object ? object : new Obj();
    }

    public List<Obj> objects(String name) {
        return only(Obj.class, name);
    }

    public List<String> texts(String name) {
        return only(String.class, name);
    }

    private <T> List<T> only(Class<T> type, String name) {
        List<T> found = new ArrayList<>();
        for (Object item : get(name) instanceof List<?> list ? list : List.of()) {
            if (type.isInstance(item)) {
                found.add(type.cast(item));
            }
        }
        return found;
    }
}
