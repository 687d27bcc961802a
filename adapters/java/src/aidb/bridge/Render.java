package aidb.bridge;

import aidb.text.Escapes;
import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VoidValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values as short texts that say what they are. */
final class Render {
    static final int LONGEST = 2048; // characters of a string that are read
    private static final int SHORT = 60; // inside something else
    private static final int ITEMS = 6;
    private static final Set<String> SPOKEN = Set.of("java.math.BigInteger", "java.math.BigDecimal", "java.util.UUID", "java.lang.StringBuilder",
        "java.lang.StringBuffer", "java.net.URI", "java.net.URL", "java.util.Locale", "java.io.File", "java.util.Date", "sun.nio.fs.UnixPath",
        "java.util.concurrent.atomic.AtomicLong", "java.util.concurrent.atomic.AtomicInteger", "java.util.concurrent.atomic.AtomicBoolean",
        "java.util.BitSet", "java.util.regex.Pattern", "java.util.concurrent.atomic.LongAdder");

    private final Context caller; // makes calls of toString, null: none are made
    private final Asked asked;

    Render(Context caller) {
        this.caller = caller;
        asked = new Asked(caller);
    }

    String text(Value value) {
        return text(value, 0);
    }

    /** Without quotes, for messages. */
    String plain(Value value) {
        return value instanceof StringReference text ? head(text, LONGEST) : text(value);
    }

    /** What the text of a value shows in whole, so that there is nothing to open. */
    static boolean whole(ObjectReference object) {
        String type = object.referenceType().name();
        return object instanceof StringReference || Calls.unbox(object) != object || object instanceof ClassObjectReference || spoken(type) || isEnum(object.referenceType());
    }

    private static boolean spoken(String type) {
        return SPOKEN.contains(type) || type.startsWith("java.time.");
    }

    static String type(Value value, String declared) {
        if (value == null) {
            return declared == null ? "null" : Names.simple(declared);
        }
        if (value instanceof VoidValue) {
            return "void";
        }
        ReferenceType type = value instanceof ObjectReference object ? object.referenceType() : null;
        if (type instanceof ClassType c && type.name().matches(".*\\$\\d+") && isEnum(type) && c.superclass() != null) {
            return Names.simple(c.superclass().name()); // a constant with a body of its own
        }
        return name(value.type().name());
    }

    /** The nested classes behind List.of and its like go by the name of what they are. */
    private static String name(String type) {
        String simple = Names.simple(type);
        return simple.startsWith("ImmutableCollections.") ? simple.replaceAll("^ImmutableCollections\\.|(N|1|12)$", "") : simple;
    }

    /** The length of a string that is longer than what is read of it, else 0. */
    static int cut(Value value) {
        if (!(value instanceof StringReference text)) {
            return 0;
        }
        int length = length(text);
        return length > LONGEST ? length : 0;
    }

    private String text(Value value, int depth) {
        if (value == null) {
            return "null";
        }
        if (value instanceof CharValue c) {
            return "'" + (c.value() == '\'' ? "\\'" : Escapes.escape(String.valueOf(c.value()), '\'')) + "'";
        }
        if (value instanceof PrimitiveValue) {
            return value.toString();
        }
        if (value instanceof VoidValue) {
            return "(no value)";
        }
        if (value instanceof StringReference text) {
            String head = head(text, depth == 0 ? LONGEST : SHORT);
            return '"' + Escapes.escape(head, '"') + (head.length() < length(text) ? "…" : "") + '"';
        }
        if (value instanceof ArrayReference array) {
            return array(array, depth);
        }
        return object((ObjectReference) value, depth);
    }

    private String array(ArrayReference array, int depth) {
        int length = array.length();
        String type = Names.simple(array.type().name());
        String head = type.substring(0, type.indexOf('[')) + "[" + length + "]" + type.substring(type.indexOf(']') + 1);
        if (depth > 1 || length == 0) {
            return head;
        }
        StringBuilder out = new StringBuilder(head).append(" {");
        String before = "";
        for (Value element : array.getValues(0, Math.min(length, ITEMS))) {
            out.append(before).append(text(element, depth + 1));
            before = ", ";
        }
        return out.append(length > ITEMS ? ", …}" : "}").toString();
    }

    private String object(ObjectReference object, int depth) {
        ReferenceType type = object.referenceType();
        Value plain = Calls.unbox(object);
        if (plain != object) {
            return text(plain, depth);
        }
        if (object instanceof ClassObjectReference c) {
            return "class " + c.reflectedType().name();
        }
        if (isEnum(type)) {
            return type(object, null) + "." + plain(Contents.get(object, "name"));
        }
        if (object instanceof ThreadReference thread) {
            return "Thread \"" + thread.name() + "\"";
        }
        if (type.name().equals("java.util.Optional")) {
            Value inner = Contents.get(object, "value");
            return inner == null ? "Optional.empty" : "Optional[" + text(inner, depth + 1) + "]";
        }
        if (type.name().equals("java.util.concurrent.atomic.AtomicReference")) {
            return text(Contents.get(object, "value"), depth);
        }
        if (type.name().matches("java\\.util\\.Optional(Int|Long|Double)")) {
            String name = Names.simple(type.name());
            return Context.isTrue(Contents.get(object, "isPresent")) ? name + "[" + Contents.get(object, "value") + "]" : name + ".empty";
        }
        if (type.fieldByName("detailMessage") != null && type.fieldByName("stackTrace") != null) {
            Value message = Contents.get(object, "detailMessage");
            return Names.simple(type.name()) + (message == null ? "" : ": " + plain(message));
        }
        if (spoken(type.name())) {
            return spoken(object);
        }
        String held = Holders.text(object, v -> text(v, depth + 1));
        if (held != null) {
            return held;
        }
        Contents contents = contents(object);
        try {
            return contents != null ? collection(name(type.name()), contents, depth) : fields(object, depth);
        } catch (Failure e) {
            return Names.simple(type.name()) + "@" + object.uniqueID(); // it did not let its elements be read
        }
    }

    /** What a collection holds, null when the object is none. */
    Contents contents(ObjectReference object) {
        Contents contents = Contents.of(object);
        return contents != null ? contents : asked.contents(object);
    }

    /** What toString says, for classes of the JDK whose toString only reads. */
    private String spoken(ObjectReference object) {
        String name = Names.simple(object.referenceType().name());
        if (object.referenceType().name().startsWith("java.util.concurrent.atomic.Atomic")) {
            Value held = Contents.get(object, "value");
            return name.equals("AtomicBoolean") ? String.valueOf(Context.number(held) != 0) : String.valueOf(held);
        }
        if (caller == null) {
            return name + "@" + object.uniqueID();
        }
        try {
            String said = Calls.text(caller, object);
            return name.startsWith("StringBu") ? '"' + Escapes.escape(said, '"') + '"' : said;
        } catch (Failure e) {
            return name + "@" + object.uniqueID();
        }
    }

    private String collection(String name, Contents contents, int depth) {
        int size = contents.size;
        String head = name + "(" + size + ")";
        if (depth > 1 || size == 0) {
            return head;
        }
        StringBuilder out = new StringBuilder(head).append(contents.isMap() ? " {" : " [");
        String before = "";
        for (Contents.Entry entry : contents.slice(0, ITEMS)) {
            out.append(before).append(contents.isMap() ? text(entry.key(), depth + 1) + "=" : "").append(text(entry.value(), depth + 1));
            before = ", ";
        }
        return out.append(size > ITEMS ? ", …" : "").append(contents.isMap() ? '}' : ']').toString();
    }

    private String fields(ObjectReference object, int depth) {
        ReferenceType type = object.referenceType();
        String name = Names.simple(type.name());
        String said = depth > 1 ? null : asked.text(object);
        if (said != null) {
            int most = depth == 0 ? LONGEST : SHORT;
            return said.length() > most ? said.substring(0, most) + "…" : said;
        }
        List<Field> fields = Container.Fields.of(object);
        if (depth > 1 && !isRecord(type) || fields.isEmpty() || Sources.library(type.name()) || depth > 2) {
            return name + "@" + object.uniqueID();
        }
        List<Field> shown = fields.subList(0, Math.min(fields.size(), ITEMS));
        Map<Field, Value> values = object.getValues(shown);
        StringBuilder out = new StringBuilder(name).append(isRecord(type) ? "[" : " {");
        String before = "";
        for (Field field : shown) {
            out.append(before).append(field.name()).append('=').append(text(values.get(field), depth + 1));
            before = ", ";
        }
        return out.append(fields.size() > ITEMS ? ", …" : "").append(isRecord(type) ? "]" : "}").toString();
    }

    static boolean isEnum(ReferenceType type) {
        return extending(type, "java.lang.Enum");
    }

    private static boolean isRecord(ReferenceType type) {
        return extending(type, "java.lang.Record");
    }

    private static boolean extending(ReferenceType type, String parent) {
        for (ClassType c = type instanceof ClassType first ? first.superclass() : null; c != null; c = c.superclass()) {
            if (c.name().equals(parent)) {
                return true;
            }
        }
        return false;
    }

    private static ArrayReference bytes(StringReference text) {
        return Contents.get(text, "value") instanceof ArrayReference bytes ? bytes : null;
    }

    private static boolean wide(StringReference text) {
        return ((PrimitiveValue) Contents.get(text, "coder")).byteValue() != 0;
    }

    private static int length(StringReference text) {
        ArrayReference bytes = bytes(text);
        if (bytes == null) {
            return text.value().length();
        }
        int length = bytes.length();
        return wide(text) ? length / 2 : length;
    }

    /** The first characters of a string; of a long one no more is read than that. */
    private static String head(StringReference text, int most) {
        ArrayReference bytes = bytes(text);
        if (bytes == null || bytes.length() <= most) {
            String whole = text.value();
            return whole.length() <= most ? whole : whole.substring(0, most);
        }
        int unit = wide(text) ? 2 : 1;
        byte[] read = new byte[Math.min(bytes.length(), most * unit)];
        int i = 0;
        for (Value b : bytes.getValues(0, read.length)) {
            read[i++] = ((PrimitiveValue) b).byteValue();
        }
        java.nio.charset.Charset wide = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN
            ? java.nio.charset.StandardCharsets.UTF_16LE : java.nio.charset.StandardCharsets.UTF_16BE;
        return new String(read, unit == 1 ? java.nio.charset.StandardCharsets.ISO_8859_1 : wide);
    }
}
