package aidb.profile;

import aidb.text.Json;
import aidb.text.Obj;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Reads a recording of the JDK's Flight Recorder, and prints what is the same in it once, as lines of JSON. */
public final class Folded {
    private static final int DEEPEST = 256; // frames
    private static final int STEPS = 30; // of the way from a root
    private static final String CLASS = "Class Name: ";
    private static final int HELD = 200; // objects with their ways

    private final Map<String, Obj> samples = new LinkedHashMap<>();
    private final Map<String, Obj> held = new LinkedHashMap<>();
    private long cut;

    private Folded() {}

    public static void main(String[] files) throws IOException {
        Folded all = new Folded();
        try (RecordingFile file = new RecordingFile(Path.of(files[0]))) {
            while (file.hasMoreEvents()) {
                all.event(file.readEvent());
            }
        }
        StringBuilder out = new StringBuilder();
        all.samples.values().forEach(o -> out.append(Json.print(o)).append('\n'));
        all.held.values().forEach(o -> out.append(Json.print(o)).append('\n'));
        out.append(Json.print(Obj.of("cut", all.cut))).append('\n');
        System.out.print(out);
    }

    private void event(RecordedEvent e) {
        switch (e.getEventType().getName()) {
            case "jdk.ExecutionSample" -> sample(e.getStackTrace());
            case "jdk.OldObjectSample" -> old(e);
        }
    }

    private void sample(RecordedStackTrace stack) {
        if (stack == null) {
            return;
        }
        List<Obj> frames = frames(stack);
        if (stack.isTruncated()) {
            cut++;
        }
        count(samples, Json.print(Obj.of("stack", frames)), Obj.of("stack", frames));
    }

    private static void count(Map<String, Obj> in, String key, Obj fresh) {
        Obj known = in.computeIfAbsent(key, k -> fresh);
        known.put("count", known.id("count") + 1);
    }

    private static List<Obj> frames(RecordedStackTrace stack) {
        List<Obj> frames = new ArrayList<>();
        for (RecordedFrame f : stack.getFrames()) {
            if (frames.size() < DEEPEST && f.isJavaFrame()) {
                frames.add(Obj.of("type", f.getMethod().getType().getName(), "method", f.getMethod().getName(), "line", f.getLineNumber()));
            }
        }
        return frames;
    }

    private void old(RecordedEvent e) {
        RecordedObject object = e.getValue("object");
        List<String> way = new ArrayList<>();
        String type = name(object.getValue("type"));
        for (RecordedObject at = object.getValue("referrer"); at != null && way.size() < STEPS; ) {
            RecordedObject from = at.getValue("object");
            way.add(0, step(at, from));
            at = from == null ? null : from.getValue("referrer");
        }
        RecordedObject root = e.hasField("root") ? e.getValue("root") : null;
        if (root != null && root.hasField("system")) {
            String what = root.getValue("type") + " (" + root.getValue("system") + ")";
            way.add(0, "root: " + what);
        }
        List<Obj> frames = e.getStackTrace() == null ? List.of() : frames(e.getStackTrace());
        if (held.size() < HELD) {
            String key = type + way + (frames.isEmpty() ? "" : Json.print(frames.get(0)));
            count(held, key, Obj.of("held", type, "way", way, "stack", frames));
        }
    }

    /** How an object is held: by a field of another, or by an element. */
    private static String step(RecordedObject by, RecordedObject from) {
        String holder = from == null ? "?" : name(from.getValue("type"));
        String described = from == null || !from.hasField("description") ? null : from.getString("description");
        if (holder.equals("java.lang.Class") && described != null && described.startsWith(CLASS)) {
            holder = described.substring(CLASS.length()); // its static fields
        }
        RecordedObject field = by.getValue("field");
        if (field != null) {
            return holder + "." + field.getValue("name");
        }
        RecordedObject array = by.getValue("array");
        return array != null ? holder.replaceFirst("\\[\\]$", "") + "[…]" : holder;
    }

    /** A class as source has it. */
    private static String name(RecordedClass type) {
        if (type == null) {
            return "?";
        }
        String name = type.getName();
        int dimensions = 0;
        while (name.startsWith("[")) {
            name = name.substring(1);
            dimensions++;
        }
        if (dimensions > 0) {
            int at = "ZBCSIJFD".indexOf(name);
            name = at >= 0 ? List.of("boolean", "byte", "char", "short", "int", "long", "float", "double").get(at) : name.replaceAll("^L|;$", "");
        }
        return name.replace('/', '.') + "[]".repeat(dimensions);
    }
}
