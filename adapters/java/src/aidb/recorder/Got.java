package aidb.recorder;

/** What an expression gives: a value, where it lies, or a type that it names. */
final class Got {
    final Object value;
    final boolean primitive; // not an object that holds one
    Object holder; // the object that the place is in
    private Object of; // the object or class with the place, or the place itself
    private char kind; // '.' a field of the object, '[' an element, 0: of is the place
    private Object key;
    Class<?> type; // of a name of a type

    Got(Object value, boolean primitive) {
        this.value = value;
        this.primitive = primitive;
    }

    static Got of(Object value) {
        return new Got(value, false);
    }

    static Got plain(Object value) {
        return new Got(value, true);
    }

    static Got named(Class<?> type) {
        Got got = new Got(null, false);
        got.type = type;
        return got;
    }

    /** It lies in no object. */
    Got at(String place) {
        of = place;
        return this;
    }

    /** It is a field of an object. */
    Got field(Object holder, String name) {
        this.holder = holder;
        of = holder;
        kind = '.';
        key = name;
        return this;
    }

    Got fixed(Class<?> type, String name) {
        of = type;
        kind = '.';
        key = name;
        return this;
    }

    Got element(Object holder, Object key) {
        this.holder = holder;
        of = holder;
        kind = '[';
        this.key = key;
        return this;
    }

    /** Where the value lies, null where that is not known. It is found when it is asked for: most are not. */
    String place() {
        return switch (kind) {
            case '.' -> (holder == null ? ((Class<?>) of).getName() : Ids.of(holder)) + "." + key;
            case '[' -> Ids.of(holder) + "[" + Insides.key(key) + "]";
            default -> (String) of;
        };
    }

    boolean number() {
        return value instanceof Number || value instanceof Character;
    }

    boolean fraction() {
        return value instanceof Double || value instanceof Float;
    }

    boolean wide() {
        return value instanceof Long;
    }

    long integer() {
        return value instanceof Character c ? c : ((Number) value).longValue();
    }

    String kind() {
        return type != null ? "the name of a class" : value == null ? "null" : "a " + Show.type(value.getClass());
    }
}
