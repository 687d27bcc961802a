package aidb.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** JSON text to and from {@link Obj}, lists, strings, longs, doubles, booleans and null. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static Object parse(String text) {
        return new Json(text).value();
    }

    public static String print(Object value) {
        StringBuilder out = new StringBuilder(256);
        print(value, out);
        return out.toString();
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private char peek() {
        while (text.charAt(at) <= ' ') {
            at++;
        }
        return text.charAt(at);
    }

    /** Takes the next character if it is c. */
    private boolean take(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private Obj object() {
        Obj members = new Obj();
        at++;
        if (take('}')) {
            return members;
        }
        do {
            peek();
            String name = string();
            take(':');
            members.put(name, value());
        } while (take(','));
        take('}');
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        at++;
        if (take(']')) {
            return items;
        }
        do {
            items.add(value());
        } while (take(','));
        take(']');
        return items;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            out.append(c == '\\' ? escape() : c);
        }
        return out.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        if (c != 'u') {
            return Escapes.meant(c);
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",}] \n\r\t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> {
                double number = Double.parseDouble(word);
                yield number == Math.rint(number) && word.indexOf('e') < 0 && word.indexOf('E') < 0 ? (Object) (long) number : number;
            }
        };
    }

    private static void print(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String before = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(before);
                quote(member.getKey().toString(), out);
                out.append(':');
                print(member.getValue(), out);
                before = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> items) {
            String before = "";
            out.append('[');
            for (Object item : items) {
                out.append(before);
                print(item, out);
                before = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    public static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                Escapes.unicode(c, out);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
