package aidbrecorder;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes what was noted, each event by itself and at once, so that no end of the process loses one;
 * Go's package recording says into which files, and reads them.
 */
final class Notes {
    private static final int HEAD = 4 << 20;
    private static final int TAIL = 8 << 20;

    private final File records;
    private FileOutputStream file; // no channel: an interrupt of the program's thread would close that
    private long seq;
    private int room = HEAD;
    private int tail;

    /** A value with what is known of where it lies. */
    static final class Value {
        String text;
        String error;
        boolean cut; // the text leaves something out
        String whole; // then a hash of all of it, where that is known
        String place;
        String same;
        String of;

        static Value of(Object value) {
            Value v = new Value();
            try {
                Show shown = Show.of(value);
                v.text = shown.text;
                v.cut = shown.less();
                v.whole = v.cut && !(Hooks.thin != null && Hooks.thin.onlyLast) ? Whole.of(value) : null; // else it is looked at, and not compared
            } catch (RuntimeException | StackOverflowError e) {
                v.error = e.toString();
            }
            v.same = Ids.of(value);
            return v;
        }

        static Value failed(String why) {
            Value v = new Value();
            v.error = Show.cut(why);
            return v;
        }
    }

    /** One event; its members are those of recording.Event. */
    static final class Event {
        final StringBuilder json = new StringBuilder(200);

        Event(String kind) {
            json.append("{\"k\":\"").append(kind).append('"');
        }

        Event text(String key, String value) {
            if (value != null && !value.isEmpty()) {
                json.append(",\"").append(key).append("\":");
                Json.quote(value, json);
            }
            return this;
        }

        Event number(String key, long value) {
            if (value != 0) {
                json.append(",\"").append(key).append("\":").append(value);
            }
            return this;
        }

        Event flag(String key, boolean value) {
            if (value) {
                json.append(",\"").append(key).append("\":true");
            }
            return this;
        }

        Event texts(String key, List<String> values) {
            if (values.isEmpty()) {
                return this;
            }
            json.append(",\"").append(key).append("\":");
            char before = '[';
            for (String v : values) {
                json.append(before);
                Json.quote(v, json);
                before = ',';
            }
            json.append(']');
            return this;
        }

        Event values(List<Value> values) {
            return values("v", values);
        }

        Event values(String key, List<Value> values) {
            json.append(",\"").append(key).append("\":[");
            String before = "";
            for (Value v : values) {
                json.append(before).append('{');
                String comma = "";
                comma = member("v", v.text, comma);
                comma = member("e", v.error, comma);
                if (v.cut) {
                    json.append(comma).append("\"u\":true");
                    comma = member("w", v.whole, ",");
                }
                comma = member("o", v.place, comma);
                comma = member("i", v.same, comma);
                member("h", v.of, comma);
                json.append('}');
                before = ",";
            }
            json.append(']');
            return this;
        }

        private String member(String key, String value, String comma) {
            if (value == null || value.isEmpty()) {
                return comma;
            }
            json.append(comma).append('"').append(key).append("\":");
            Json.quote(value, json);
            return ",";
        }
    }

    Notes(File records) throws IOException {
        this.records = records;
        file = new FileOutputStream(new File(records, "head"));
    }

    void write(Event event) {
        StringBuilder json = event.json;
        synchronized (this) {
            json.append(",\"n\":").append(++seq).append("}\n");
            byte[] line = json.toString().getBytes(StandardCharsets.UTF_8);
            try {
                if (line.length > room) {
                    file.close();
                    file = new FileOutputStream(new File(records, "tail" + tail++ % 2));
                    room = TAIL;
                }
                room -= line.length;
                file.write(line);
            } catch (IOException e) {
                room = 0; // the records are gone, and the program goes on
            }
        }
    }

    void remark(String text) {
        write(new Event("remark").text("m", text));
    }

    private static final Thread MAIN = Thread.currentThread();

    /** The thread that runs now, empty for the first. */
    static String thread() {
        Thread now = Thread.currentThread();
        if (now == MAIN) {
            return null;
        }
        String name = now.getName();
        return name.isEmpty() ? "thread " + now.getId() : name;
    }
}
