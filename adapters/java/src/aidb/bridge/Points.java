package aidb.bridge;

import aidb.text.Obj;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ClassNotPreparedException;
import com.sun.jdi.Field;
import com.sun.jdi.InternalException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.WatchpointRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The client's breakpoints, bound to classes that are loaded and to those that come. */
final class Points {
    private static final int NOT_FOUND = 41; // of JDWP's errors

    private volatile boolean woven; // a recorder of ours was in the program, or comes

    static final String PROPERTY = "point";
    private final Machine machine;
    private final List<Point> points = new ArrayList<>();
    private final Map<String, Field> watchable = new HashMap<>(); // by data id
    private final Map<String, ObjectReference> owners = new HashMap<>();
    private final Set<String> awaited = new HashSet<>(); // files, and classes after a star, of which loading is announced
    private int lastId;

    Points(Machine machine) {
        this.machine = machine;
    }

    synchronized List<Obj> lines(String path, List<Obj> wanted) {
        return replace(p -> p.kind == Point.Kind.LINE && p.path.equals(path), wanted, asked -> Point.line(++lastId, path, asked));
    }

    synchronized List<Obj> functions(List<Obj> wanted) {
        return replace(p -> p.kind == Point.Kind.FUNCTION, wanted, asked -> Point.function(++lastId, asked));
    }

    synchronized List<Obj> watches(List<Obj> wanted) {
        return replace(p -> p.kind == Point.Kind.WATCH, wanted, asked -> Point.watch(++lastId, asked));
    }

    /** Takes a whole set of a kind: those that are asked for again stay as they are, with the hits they have counted. */
    private List<Obj> replace(Predicate<Point> which, List<Obj> wanted, Maker make) {
        List<Point> old = new ArrayList<>(points.stream().filter(which).toList());
        List<Point> now = new ArrayList<>();
        List<Point> fresh = new ArrayList<>();
        for (Obj asked : wanted) {
            Point kept = old.stream().filter(p -> p.asked.equals(asked)).findFirst().orElse(null);
            if (kept == null) {
                kept = make.of(asked);
                fresh.add(kept);
            }
            old.remove(kept);
            now.add(kept);
        }
        drop(old);
        add(fresh);
        return now.stream().map(Point::told).toList();
    }

    private interface Maker {
        Point of(Obj asked);
    }

    private void drop(List<Point> gone) {
        for (Point point : gone) {
            machine.requests().deleteEventRequests(point.requests);
            point.dropped = true;
            points.remove(point);
        }
    }

    private void add(List<Point> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        points.addAll(fresh);
        List<ReferenceType> loaded = machine.vm.allClasses();
        for (Point point : fresh) {
            if (point.kind == Point.Kind.WATCH) {
                watch(point, point.asked.text("dataId"), point.asked.text("accessType"));
                continue;
            }
            await(point);
            for (ReferenceType type : loaded) {
                if (mayBe(point, type)) {
                    bind(point, type);
                }
            }
            foretell(point);
        }
    }

    /** Asks to be told of the classes that a point may be in. */
    private void await(Point point) {
        ClassPrepareRequest request;
        if (point.kind == Point.Kind.LINE) {
            String name = Path.of(point.path).getFileName().toString();
            if (!awaited.add(name)) {
                return;
            }
            request = machine.requests().createClassPrepareRequest();
            if (machine.vm.canUseSourceNameFilters()) {
                request.addSourceNameFilter(name);
            }
        } else {
            String name = point.function.simpleType(); // of a class that is named libraries' count too
            if (!awaited.add("*" + name)) {
                return;
            }
            request = machine.requests().createClassPrepareRequest();
            if (name.isEmpty()) {
                Machine.LIBRARY_FILTERS.forEach(request::addClassExclusionFilter);
            } else {
                request.addClassFilter("*" + name);
            }
        }
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
    }

    /** A cheap look by name alone. */
    private boolean mayBe(Point point, ReferenceType type) {
        if (point.kind == Point.Kind.FUNCTION) {
            boolean named = !point.function.type().isEmpty();
            return (named || !Sources.library(type.name())) && point.function.in(type.name());
        }
        String in = machine.sources.packageOf(point.path);
        int dot = type.name().lastIndexOf('.');
        return (dot < 0 ? "" : type.name().substring(0, dot)).equals(in) && !type.name().endsWith("]");
    }

    /** A class has been loaded. */
    synchronized void prepared(ReferenceType type) {
        machine.plants.prepared(type);
        plant(type);
        for (Point point : points) {
            if (point.kind == Point.Kind.WATCH || !mayBe(point, type)) {
                continue;
            }
            boolean before = point.verified;
            int line = point.boundLine;
            bind(point, type);
            if (before != point.verified || line != point.boundLine) {
                machine.wire.event("breakpoint", Obj.of("reason", "changed", "breakpoint", point.told()));
            }
        }
    }

    /** Has calls stand for the breakpoints on lines of a class, of which nothing has run yet. */
    private void plant(ReferenceType type) {
        List<Location> places = new ArrayList<>();
        for (Point point : points) {
            try {
                if (point.kind == Point.Kind.LINE && !point.broken && mayBe(point, type)) {
                    places.addAll(places(point, type));
                }
            } catch (AbsentInformationException | ClassNotPreparedException e) {
                continue; // there is no place for it
            }
        }
        machine.plants.lay(type, places);
    }

    /** Says that an agent of ours replaces code, and does so once more. */
    void weaves() {
        woven = true;
    }

    boolean isWoven() {
        return woven;
    }

    /** Sets a class's breakpoints again after its code was replaced, which clears them. */
    synchronized void replaced(ReferenceType type) {
        machine.plants.replaced(type);
        for (Point point : points) {
            if (point.kind == Point.Kind.WATCH) {
                continue;
            }
            List<EventRequest> old = point.requests.stream()
                .filter(r -> r instanceof BreakpointRequest b && b.location().declaringType().equals(type)).toList();
            old.forEach(this::forget);
            point.requests.removeAll(old);
            if (mayBe(point, type)) {
                bind(point, type);
            }
        }
    }

    /** The machine has forgotten the breakpoint by itself where an agent has replaced the code. */
    private void forget(EventRequest old) {
        try {
            machine.requests().deleteEventRequest(old);
        } catch (InternalException cleared) {
            if (cleared.errorCode() != NOT_FOUND) {
                throw cleared;
            }
        }
    }

    private void bind(Point point, ReferenceType type) {
        if (point.broken) {
            return;
        }
        try {
            if (point.kind == Point.Kind.FUNCTION) {
                for (Method method : type.methodsByName(point.function.method())) {
                    if (method.declaringType().equals(type) && method.location() != null && !method.isBridge() && !method.isSynthetic()) {
                        set(point, method.location());
                    }
                }
                return;
            }
            places(point, type).forEach(at -> set(point, at));
        } catch (AbsentInformationException e) {
            if (!point.verified && point.message == null && type.methods().stream().anyMatch(m -> m.location() != null)) {
                point.message = Names.simple(type.name()) + " was compiled without line numbers (-g:none): no breakpoint can be set in it";
            }
        } catch (ClassNotPreparedException e) {
            // it will be announced when it is
        }
    }

    /** Where the breakpoints of a line come in a class, one in a method. */
    private Collection<Location> places(Point point, ReferenceType type) throws AbsentInformationException {
        if (!machine.sources.compiledFrom(type, point.path)) {
            return List.of();
        }
        List<Location> places = machine.recorder.own(type.locationsOfLine(point.line));
        int head = places.isEmpty() ? Heads.first(point.path, point.line, bodies(type)) : 0;
        if (head > 0) {
            places = machine.recorder.own(type.locationsOfLine(head));
            point.boundLine = head;
        }
        Map<Method, Location> first = new HashMap<>();
        for (Location at : places) {
            first.merge(at.method(), at, (a, b) -> a.codeIndex() <= b.codeIndex() ? a : b);
        }
        return first.values();
    }

    private static List<Heads.Body> bodies(ReferenceType type) throws AbsentInformationException {
        List<Heads.Body> bodies = new ArrayList<>();
        for (Method method : type.methods()) {
            method.allLineLocations().stream().mapToInt(Location::lineNumber).min()
                .ifPresent(first -> bodies.add(Heads.Body.of(type.name(), method.name(), first)));
        }
        return bodies;
    }

    private void set(Point point, Location at) {
        if (point.requests.stream().anyMatch(r -> r instanceof BreakpointRequest b && b.location().equals(at))) {
            return; // a class can be announced twice
        }
        BreakpointRequest request = machine.requests().createBreakpointRequest(at);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.putProperty(PROPERTY, point);
        if (!machine.plants.keeps(request)) {
            request.enable();
        }
        point.requests.add(request);
        point.verified = true;
        point.message = null;
        if (point.kind == Point.Kind.FUNCTION) {
            point.boundLine = at.lineNumber();
            Path source = machine.sources.find(at.declaringType());
            point.boundPath = source == null ? null : source.toString();
        }
    }

    /** Says of a point whose class is not loaded what the compiled class file tells. */
    private void foretell(Point point) {
        if (point.verified || point.broken || point.message != null) {
            return;
        }
        if (point.kind == Point.Kind.FUNCTION) {
            foretellFunction(point);
            return;
        }
        String name = Path.of(point.path).getFileName().toString();
        List<ClassFile> types = machine.classes.of(machine.sources.packageOf(point.path), name);
        TreeSet<Integer> lines = Classes.lines(types);
        if (lines.contains(point.line)) {
            point.verified = true;
            return;
        }
        int head = Heads.first(point.path, point.line, types.stream().flatMap(t -> t.bodies.stream()).toList());
        if (head > 0) {
            point.verified = true;
            point.boundLine = head;
        } else if (types.isEmpty()) {
            point.message = "no class that was compiled from " + name + " is loaded or on the class path; it is set when one is loaded";
        } else if (lines.isEmpty() && types.stream().anyMatch(t -> t.code)) {
            point.message = name + " was compiled without line numbers (-g:none): no breakpoint can be set in it";
        } else {
            point.message = "there is no code on that line";
        }
    }

    private void foretellFunction(Point point) {
        List<ClassFile> all = machine.classes.all();
        for (ClassFile type : all) {
            Integer line = type.methods.get(point.function.method());
            if (line != null && point.function.in(type.name)) {
                point.verified = true;
                point.boundLine = line;
                Path source = machine.sources.find(type.name, type.source);
                point.boundPath = source == null ? null : source.toString();
                return;
            }
        }
        point.message = machine.classes.unknown(point.function, all);
    }

    /** Remembers a field that may be watched and answers the id for it. */
    synchronized String watchable(ObjectReference on, Field field) {
        String id = (on == null ? "static" : on.uniqueID()) + " " + field.declaringType().name() + "." + field.name();
        watchable.put(id, field);
        if (on != null) {
            owners.put(id, on);
        }
        return id;
    }

    private void watch(Point point, String id, String access) {
        Field field = watchable.get(id);
        if (field == null) {
            point.message = "the field is not known any more; watch it again";
            return;
        }
        if (point.broken) {
            return;
        }
        List<WatchpointRequest> requests = new ArrayList<>();
        if (!access.equals("read")) {
            requests.add(machine.requests().createModificationWatchpointRequest(field));
        }
        if (access.startsWith("read")) {
            requests.add(machine.requests().createAccessWatchpointRequest(field));
        }
        for (WatchpointRequest request : requests) {
            ObjectReference owner = owners.get(id);
            if (owner != null) {
                request.addInstanceFilter(owner);
            }
            request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            request.putProperty(PROPERTY, point);
            request.enable();
            point.requests.add(request);
        }
        point.verified = true;
    }

    /** Lines of a file that can hold a breakpoint, the nearest first. */
    List<Integer> near(String path, int line, int most) {
        TreeSet<Integer> lines = Classes.lines(machine.classes.of(machine.sources.packageOf(path), Path.of(path).getFileName().toString()));
        if (lines.isEmpty()) {
            lines = loadedLines(path);
        }
        return lines.stream().sorted(Comparator.comparingInt(n -> Math.abs(n - line))).limit(most).toList();
    }

    private TreeSet<Integer> loadedLines(String path) {
        TreeSet<Integer> lines = new TreeSet<>();
        for (ReferenceType type : machine.vm.allClasses()) {
            if (!Sources.library(type.name()) && machine.sources.compiledFrom(type, path)) {
                try {
                    type.allLineLocations().forEach(at -> lines.add(at.lineNumber()));
                } catch (AbsentInformationException | ClassNotPreparedException e) {
                    continue;
                }
            }
        }
        return lines;
    }
}
