package aidb.bridge;

import aidb.text.Closest;
import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.PathSearchingVirtualMachine;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Replaces code in the running program: edits the source in memory, compiles it, redefines its classes. */
final class Patcher {
    private final Machine machine;

    Patcher(Machine machine) {
        this.machine = machine;
    }

    Obj patch(Context c, Obj asked) {
        ReferenceType owner = owner(c, asked);
        Path file = asked.text("file").isEmpty() ? machine.sources.find(owner) : Path.of(asked.text("file"));
        if (file == null) {
            throw new Failure("the source of %s is not here: without it nothing can be compiled", Names.simple(owner.name()));
        }
        Edit.Result edited = Edit.apply(file, text(file), Names.simple(owner.name()), asked.text("name"), asked.text("code"));
        Map<String, byte[]> compiled = Compiler.compile(file, edited.source(), options(owner));
        Map<ReferenceType, byte[]> loaded = loaded(compiled, owner);
        try {
            machine.vm.redefineClasses(loaded);
        } catch (UnsupportedOperationException e) {
            throw new Failure("the running program cannot take this change: %s", why(e.getMessage()));
        } catch (VerifyError | ClassFormatError | NoClassDefFoundError e) {
            throw new Failure("the running program refused the new code: %s", e.getMessage());
        }
        loaded.keySet().forEach(machine.points::replaced);
        List<String> notes = new ArrayList<>(active());
        notes.add(file.getFileName() + " on disk was not changed: make the same edit there to keep it");
        return Obj.of("name", edited.name(), "notes", notes);
    }

    /** The class that the patch belongs to: by the name that was given, else the frame's. */
    private ReferenceType owner(Context c, Obj asked) {
        String name = asked.text("name");
        Function function = Function.parse(name);
        if (!asked.text("file").isEmpty()) {
            String path = asked.text("file");
            List<ReferenceType> from = types().stream().filter(t -> machine.sources.compiledFrom(t, path)).toList();
            if (from.isEmpty()) {
                throw new Failure("no class of %s is loaded yet, so that there is nothing to replace", Path.of(path).getFileName());
            }
            return from.stream().filter(t -> function.in(t.name()) && has(t, function)).findFirst().orElse(from.get(0));
        }
        if (name.isEmpty()) {
            return c.here();
        }
        for (ReferenceType type : here(c)) {
            if (has(type, function) && function.in(type.name())) {
                return type;
            }
        }
        Function whole = new Function(name, "");
        List<String> known = new ArrayList<>();
        for (ReferenceType type : types()) {
            if (whole.in(type.name()) || function.in(type.name()) && has(type, function) && machine.sources.own(type)) {
                return type;
            }
            if (machine.sources.own(type)) {
                type.methods().forEach(m -> known.add(Names.simple(type.name()) + "." + m.name()));
            }
        }
        throw new Failure("no loaded class of the program has %s%s", name, Closest.meant(name, known));
    }

    private static boolean has(ReferenceType type, Function function) {
        return type.methods().stream().anyMatch(m -> m.name().equals(function.method()));
    }

    private static List<ReferenceType> here(Context c) {
        List<ReferenceType> types = new ArrayList<>();
        for (ReferenceType type = c.here(); type != null; type = Types.around(c, type)) {
            types.add(type);
        }
        return types;
    }

    private List<ReferenceType> types() {
        return machine.vm.allClasses().stream().filter(t -> !Sources.library(t.name()) && !t.name().endsWith("]")).toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure("%s cannot be read: %s", file, e.getMessage());
        }
    }

    private List<String> options(ReferenceType owner) {
        List<String> options = new ArrayList<>(List.of("-g", "-proc:none", "-nowarn", "-parameters", "-Xlint:none"));
        int version = owner.majorVersion() - 44;
        if (version < Runtime.version().feature()) {
            options.addAll(List.of("--release", String.valueOf(version)));
        }
        Set<String> path = new LinkedHashSet<>(machine.classes.paths());
        if (machine.vm instanceof PathSearchingVirtualMachine paths) {
            paths.classPath().forEach(entry -> path.add(Path.of(paths.baseDirectory()).resolve(entry).toString()));
        }
        options.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
        return options;
    }

    /** The compiled classes that the program has loaded; what is new cannot be brought in. */
    private Map<ReferenceType, byte[]> loaded(Map<String, byte[]> compiled, ReferenceType owner) {
        Map<ReferenceType, byte[]> loaded = new HashMap<>();
        compiled.forEach((name, code) -> machine.vm.classesByName(name).forEach(type -> loaded.put(type, code)));
        if (!loaded.containsKey(owner)) {
            throw new Failure("the code that was compiled is not that of %s: %s", Names.simple(owner.name()), String.join(", ", compiled.keySet()));
        }
        return loaded;
    }

    private static String why(String said) {
        String reason = said == null ? "" : said.toLowerCase();
        if (reason.contains("add method") || reason.contains("delete method")) {
            return "methods cannot be added, removed or given other parameters, only their bodies can change (a new lambda counts as a new method)";
        }
        if (reason.contains("schema")) {
            return "fields cannot be added, removed or changed, only the bodies of methods can";
        }
        if (reason.contains("hierarchy")) {
            return "what a class extends or implements cannot change";
        }
        return "only the bodies of methods can change (" + said + ")";
    }

    /** Frames that still run what was replaced. */
    private Set<String> active() {
        Set<String> notes = new LinkedHashSet<>();
        for (ThreadReference thread : machine.vm.allThreads()) {
            try {
                for (StackFrame frame : thread.frames()) {
                    if (frame.location().method().isObsolete()) {
                        notes.add("a call in thread " + thread.name() + " that is under way runs the old code until it returns");
                    }
                }
            } catch (IncompatibleThreadStateException e) {
                continue;
            }
        }
        return notes;
    }
}
