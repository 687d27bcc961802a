package aidb.recorder;

import aidb.text.Json;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

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
    private Ends ends; // where the first and the last writes are enough

    /** A value with what is known of where it lies. */
    static final class Value {
        String text;
        String error;
        boolean cut; // the text leaves something out
        String whole; // then a hash of all of it, where that is known
        String place;
        String same;
        String of;
        String memory; // a sum of what is in it, and of the object that holds it
        String around;
        List<Puts.Part> parts = List.of(); // of what was asked about
        Object itself; // until it is noted, where the memory is wanted
        private boolean isAsked;

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
            v.itself = Hooks.all && v.same != null ? Memory.known(value) : null;
            return v;
        }

        /** Both show the same, as far as is known. */
        boolean looksLike(Value o) {
            return Objects.equals(text, o.text) && Objects.equals(whole, o.whole) && Objects.equals(error, o.error);
        }

        /** It is another value, in what is shown of it or in what is not, as far as all of both is known. */
        boolean isOtherThan(Value o) {
            return !Objects.equals(text, o.text) || (error == null) != (o.error == null) || whole != null && o.whole != null && !whole.equals(o.whole);
        }

        /** It is what was asked about. */
        void asked() {
            isAsked = true;
            parts = itself == null ? List.of() : Puts.of(itself);
        }

        /** It is what was in a place before. */
        void passes() {
            place = null;
            same = null;
            memory = null;
            around = null;
            itself = null;
        }

        /** Looks into the object that it is, as it is noted. */
        private void look() {
            if (itself == null) {
                return;
            }
            memory = Memory.of(itself, isAsked);
            parts = parts.stream().filter(p -> p.stands(itself)).toList();
            itself = null;
        }

        /** Whether it looks as another one, as far as both are known. */
        boolean isLike(Value other) {
            return other != null && cut == other.cut && java.util.Objects.equals(text, other.text) && java.util.Objects.equals(error, other.error)
                && java.util.Objects.equals(whole, other.whole);
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
        boolean isLast; // it is a write of which the last ones are enough

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

        /** The parts of a value that was asked about. */
        private void parts(List<Puts.Part> parts, String comma) {
            if (!parts.isEmpty()) {
                json.append(comma.isEmpty() ? "" : ",").append("\"p\":[");
                objects(parts.stream().map(p -> p.value).toList());
                json.append(']');
            }
        }

        Event values(String key, List<Value> values) {
            json.append(",\"").append(key).append("\":[");
            objects(values);
            json.append(']');
            return this;
        }

        private void objects(List<Value> values) {
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
                comma = member("h", v.of, comma);
                comma = member("m", v.memory, comma);
                comma = member("a", v.around, comma);
                parts(v.parts, comma);
                json.append('}');
                before = ",";
            }
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
        file = new FileOutputStream(new File(records, "head"), true); // the debugger may add to it
    }

    /** So many of the first and of the last writes are enough; few, that what there is room for is more than that. */
    void ends(long first, boolean few) throws IOException {
        ends = new Ends(records, first, few);
    }

    /** Whether writes are numbered, and rows are all that is made of them. */
    boolean numbers() {
        return ends != null;
    }

    /** The number of the last event. */
    long last() {
        return seq;
    }

    /** Events up to a number are not noted. */
    synchronized void leaves(long number) {
        seq = Math.max(seq, number);
    }

    /** One is not. */
    synchronized void leaves() {
        seq++;
    }

    void write(Event event) {
        StringBuilder json = event.json;
        synchronized (this) {
            if (Sparse.counts) {
                leaves(Sparse.tick());
            }
            json.append(",\"n\":").append(++seq).append("}\n");
            byte[] line = json.toString().getBytes(StandardCharsets.UTF_8);
            try {
                if (line.length > room && Hooks.flight) {
                    line = Flight.full(seq);
                    room = line.length;
                }
                if (ends != null && (event.isLast || line.length > room)) {
                    ends.put(line);
                    return;
                }
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

    /** Writes an event with its values, and with what is in the objects that they are as it stands then. */
    void write(Event event, List<Value> values) {
        if (!Hooks.all) {
            write(event.values(values));
            return;
        }
        synchronized (this) {
            values.forEach(Value::look);
            write(event.values(values));
        }
    }

    /** Writes that something was put into a place, which may be in an object, under a key. */
    void wrote(Event event, Value was, Value now, Object holder, Object key, String place) {
        if (!Hooks.all) {
            event.values(List.of(was, now));
            synchronized (this) {
                if (ends != null) {
                    ends.number(event, place);
                }
                write(event);
            }
            return;
        }
        if (holder != null) {
            Memory.known(holder);
        }
        synchronized (this) {
            if (holder != null) {
                now.around = Memory.of(holder, false);
                Puts.add(holder, key, place);
            }
            write(event, List.of(was, now));
        }
    }

    void remark(String text) {
        write(new Event("remark").text("m", text));
    }

    /** A part of the run is not noted: nothing can be said never to have happened. */
    void apart(String text) {
        write(new Event("apart").text("m", text));
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
