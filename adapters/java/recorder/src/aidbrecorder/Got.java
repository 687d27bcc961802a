package aidbrecorder;

/** What an expression gives: a value, where it lies, or a type that it names. */
final class Got {
    final Object value;
    final boolean primitive; // not an object that holds one
    String place;
    Object holder; // the object that the place is in
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

    Got in(Object holder, String place) {
        this.holder = holder;
        this.place = place;
        return this;
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

    double real() {
        return value instanceof Character c ? c : ((Number) value).doubleValue();
    }

    String kind() {
        return type != null ? "the name of a class" : value == null ? "null" : "a " + Show.type(value.getClass());
    }
}
