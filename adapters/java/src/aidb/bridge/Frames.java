package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the client sees at one stop: frames and values by numbers, which die when the program goes on. */
final class Frames {
    private record Place(ThreadReference thread, int depth) {}

    private final Machine machine;
    private final List<Place> places = new ArrayList<>();
    private final List<Container> containers = new ArrayList<>();
    private final Map<Place, Integer> numbers = new HashMap<>();
    private final Set<String> nameless = new HashSet<>(); // classes without names of locals, told once

    Frames(Machine machine) {
        this.machine = machine;
    }

    synchronized void clear() {
        places.clear();
        containers.clear();
        numbers.clear();
    }

    /** The name of a frame's method: Shop.total. */
    static String name(Location at) {
        return Names.simple(at.declaringType().name()) + "." + (at.method().isObsolete() ? "(replaced code)" : at.method().name());
    }

    Obj describe(Location at, int id) {
        ReferenceType type = at.declaringType();
        Path path = machine.sources.find(type);
        String file = Sources.name(type);
        Obj source = path != null && at.lineNumber() > 0 ? Obj.of("name", file, "path", path.toString()) : null;
        return Obj.of("id", id, "name", name(at), "source", source, "line", Math.max(at.lineNumber(), 0), "column", 1,
            "presentationHint", machine.sources.own(type) ? null : "subtle");
    }

    synchronized Obj stack(ThreadReference thread, int start, int levels) {
        try {
            int hidden = machine.recorder.hidden(thread);
            int total = thread.frameCount() - hidden;
            int count = Math.max(0, Math.min(total - start, levels <= 0 ? 1000 : levels));
            List<Obj> list = new ArrayList<>();
            if (count > 0) {
                int depth = start + hidden;
                for (StackFrame frame : thread.frames(depth, count)) {
                    list.add(describe(frame.location(), number(new Place(thread, depth++))));
                }
            }
            return Obj.of("stackFrames", list, "totalFrames", total);
        } catch (IncompatibleThreadStateException e) {
            throw new Failure("the thread runs");
        }
    }

    private int number(Place place) {
        return numbers.computeIfAbsent(place, p -> {
            places.add(p);
            return places.size();
        });
    }

    /** Where an expression of a frame is evaluated; without a frame at the top of the stopped thread. */
    synchronized Context context(int frame) {
        if (frame == 0) {
            ThreadReference thread = machine.needStop().thread();
            return new Context(machine, thread, machine.recorder.hidden(thread));
        }
        if (frame < 1 || frame > places.size()) {
            throw new Failure("there is no frame %d at this stop", frame);
        }
        Place place = places.get(frame - 1);
        return new Context(machine, place.thread, place.depth);
    }

    synchronized int give(Container container) {
        if (container == null) {
            return 0;
        }
        containers.add(container);
        return containers.size();
    }

    synchronized Container container(int number) {
        if (number < 1 || number > containers.size()) {
            throw new Failure("there is no value %d at this stop", number);
        }
        return containers.get(number - 1);
    }

    Obj scopes(int frame) {
        Context c = context(frame);
        List<Obj> scopes = new ArrayList<>();
        scopes.add(Obj.of("name", "Locals", "presentationHint", "locals", "variablesReference", give(new Locals(c)), "expensive", false));
        ReferenceType type = c.here();
        if (type.allFields().stream().anyMatch(f -> f.isStatic() && !f.isSynthetic())) {
            scopes.add(Obj.of("name", "Statics", "presentationHint", "globals", "variablesReference", give(Container.statics(type)), "expensive", true));
        }
        return Obj.of("scopes", scopes);
    }

    /** The variables of a frame, this object first. */
    private final class Locals implements Container {
        private final Context c;

        Locals(Context c) {
            this.c = c;
        }

        @Override
        public List<Item> items(int start, int count) {
            StackFrame frame = c.frame();
            List<Item> items = new ArrayList<>();
            ObjectReference self = frame.thisObject();
            if (self != null) {
                items.add(new Item("this", self, null, "this", false));
                captured(self, items);
            }
            try {
                List<LocalVariable> variables = frame.visibleVariables();
                Map<LocalVariable, Value> values = frame.getValues(variables);
                for (LocalVariable v : variables) {
                    items.add(new Item(v.name(), values.get(v), v.typeName(), v.name(), v.isArgument()));
                }
            } catch (AbsentInformationException e) {
                unnamed(frame, items);
            }
            return Container.page(items, start, count);
        }

        private void captured(ObjectReference self, List<Item> items) {
            for (Field field : self.referenceType().fields()) {
                if (field.isSynthetic() && field.name().startsWith("val$")) {
                    String name = field.name().substring(4);
                    items.add(new Item(name, self.getValue(field), field.typeName(), name, false));
                }
            }
        }

        /** Arguments are there even where the compiler has left their names out. */
        private void unnamed(StackFrame frame, List<Item> items) {
            ReferenceType type = frame.location().declaringType();
            List<Value> values = Context.arguments(frame);
            List<String> types = frame.location().method().argumentTypeNames();
            for (int i = 0; i < values.size(); i++) {
                items.add(new Item("arg" + i, values.get(i), types.get(i), "arg" + i, true));
            }
            if (!frame.location().method().isNative() && !frame.location().method().isObsolete() && !Sources.library(type.name()) && nameless.add(type.name())) {
                machine.wire.event("output", Obj.of("category", "important", "output", Names.simple(type.name())
                    + " was compiled without -g: its local variables cannot be seen, and its arguments have no names; compile it with javac -g\n"));
            }
        }
    }
}
