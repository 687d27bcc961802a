package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.text.Escapes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Puts into one class of the program what a wish needs of it. */
final class Weaver {
    private static final TreeMap<Integer, Site.Probe> NO_PROBES = new TreeMap<>();

    private final Wish wish;
    private final Nested nested;
    private final ClassFile in;
    private final String file;
    private final ClassLoader loader;
    private final String simple; // the name of the class
    private final Map<ClassFile.Member, Site.Method> methods = new HashMap<>();
    private ClassFile.Member member;
    private Code code;
    private Site.Method method;
    private Reading reading;
    private Assigned assigned;
    private final Set<Integer> rounds = new HashSet<>(); // of the method: where loops go round
    private int from; // where the constructor of the parent has returned; 0 in other methods

    Weaver(Wish wish, Nested nested, ClassFile in, String file, ClassLoader loader) {
        this.wish = wish;
        this.nested = nested;
        this.in = in;
        this.file = file;
        this.loader = loader;
        simple = in.name.substring(in.name.lastIndexOf('/') + 1).replace('$', '.');
    }

    /** The class as it is to be loaded; null where nothing is wanted of it. */
    byte[] woven() {
        List<Runnable> work = new ArrayList<>();
        boolean changed = false;
        Map<ClassFile.Member, TreeMap<Integer, Site.Probe>> probes = probes();
        for (ClassFile.Member m : in.methods) {
            if (m.code == null || m.code.lines.isEmpty() || m.isSynthetic()) {
                continue;
            }
            member = m;
            code = m.code;
            method = methodOf(m);
            Getters.add(in, m);
            from = 0;
            rounds.clear();
            reading = null;
            assigned = null;
            changed |= weave(probes.getOrDefault(m, NO_PROBES));
        }
        if (changed && nameless()) {
            wish.once(Escapes.escape(simple, ' ') + " was compiled without -g: its local variables have no names and cannot be seen");
        }
        byte[] bytes = changed ? in.bytes() : null;
        for (String m : in.unfit) {
            wish.once(simple + "." + m + " is not recorded: it is too long");
        }
        return bytes;
    }

    private boolean nameless() {
        boolean takes = false;
        for (ClassFile.Member m : in.methods) {
            if (m.code != null && m.code.named()) {
                return false;
            }
            takes |= takes(m);
        }
        return takes;
    }

    /** Whether a method has variables that have names where they are kept; in a static block all may be the compiler's own. */
    private boolean takes(ClassFile.Member m) {
        return m.code != null && !m.code.lines.isEmpty() && m.code.maxLocals > (m.isStatic() ? 0 : 1) && !m.name.equals("<clinit>");
    }

    private Site.Method methodOf(ClassFile.Member m) {
        Site.Method made = methods.get(m);
        if (made == null) {
            made = new Site.Method();
            methods.put(m, made);
            made.file = file;
            made.function = simple + "." + m.name;
            made.plain = m.descriptor.charAt(m.descriptor.length() - 1) != ';' && m.descriptor.indexOf(")[") < 0;
            made.line = m.code.lines.firstEntry() == null ? 0 : m.code.lines.firstEntry().getValue();
        }
        return made;
    }

    private boolean weave(TreeMap<Integer, Site.Probe> probes) {
        if (wish.field != null) {
            return new FieldWeaver(member, wish.field, loader, member.name.equals("<init>") ? afterParent() : 0, site()).weave();
        }
        boolean calls = wish.all || wish.calls(in.name, file, member.name);
        method.ends = calls && wish.thin != null && Failures.endsTest(member);
        if (Hooks.flight) {
            return new FlightWeaver(in, member, method, member.name.equals("<init>") ? afterParent() : 0).weave(calls);
        }
        method.followed = wish.follows(in.name, file, member.name);
        method.noted = calls;
        method.counter = calls && wish.thin != null ? wish.thin.of(in.name + "." + member.name + member.descriptor, method) : null;
        boolean writes = wish.all || wish.writes != null && wish.writes.touches(in, member);
        method.test = !Hooks.live && Failures.isTest(member);
        boolean leaves = !Hooks.live && Failures.exits(code);
        boolean covered = wish.first != null && wish.first.covers(nested, in.name, file, member.name);
        Set<Integer> places = wish.first == null || covered ? Set.of() : places();
        boolean judged = covered || !places.isEmpty();
        boolean builds = wish.first != null && !wish.first.each.isEmpty() && member.name.equals("<init>");
        if (!calls && !method.followed && !writes && probes.isEmpty() && !method.test && !leaves && !judged && !builds) {
            return false;
        }
        if (member.name.equals("<init>") && (from = afterParent()) < 0) {
            return false;
        }
        if (leaves) {
            exits();
        }
        boolean framed = calls || method.followed || writes;
        method.partly = !covered;
        judged = judged && judging().weave(places);
        if (builds) {
            judging().builds();
        }
        if (!framed && !judged && method.test) {
            failed(code.caught(from)).op(Opcodes.ATHROW);
        }
        if (writes || !probes.isEmpty() || method.followed) {
            reading = new Reading(in, member);
            assigned = new Assigned(member);
        }
        if (framed) {
            frame();
        }
        if (writes) {
            statements();
        }
        probes.forEach((start, probe) -> hit(start, probe));
        if (method.followed) {
            follow();
        }
        if (writes) {
            if (wish.all) {
                reading.reads.stream().filter(r -> !r.dropped && r.at >= from && assigned.reached(r.at)).forEach(this::read);
            }
            WriteWeaver writing = new WriteWeaver(this, in, member, wish);
            for (int i = from; i < code.size(); i++) {
                if (assigned.reached(i)) {
                    writing.write(i);
                }
            }
        }
        if (framed) {
            ends();
        }
        return framed || judged || builds || !probes.isEmpty() || method.test || leaves;
    }

    // Moments.

    private Judging judging() {
        return new Judging(this, in, member, wish.first, from);
    }

    /** Where the statements begin at which alone the condition is judged. */
    private Set<Integer> places() {
        Set<Integer> found = new HashSet<>();
        for (int line : wish.first.lines(file)) {
            if (code.lines.containsValue(line)) {
                found.addAll(judging().at(line));
            }
        }
        return found;
    }

    /** Tells of what is thrown out of a test. */
    Piece failed(Piece p) {
        return method.test ? p.op(Opcodes.DUP).push(Sites.add(site())).call("failed", "(Ljava/lang/Throwable;I)V") : p;
    }

    Site site() {
        Site s = new Site();
        s.method = method;
        s.owner = in.name.replace('/', '.');
        s.loader = loader;
        return s;
    }

    /** Behind the call of the parent's constructor, before which the object does not exist; -1: it is not found. */
    private int afterParent() {
        int made = 0;
        int found = -1;
        for (int i = 0; i < code.size(); i++) {
            int op = code.op(i);
            if (op == Opcodes.NEW) {
                made++;
            } else if (op == Opcodes.INVOKESPECIAL && code.reference(i)[1].equals("<init>") && made-- == 0) {
                if (found >= 0) {
                    return -1; // one of several, as Groovy has them
                }
                found = i + 1;
                made = 0;
            }
        }
        return found;
    }

    // Calls.

    private void frame() {
        Site s = site();
        List<Code.Variable> parameters = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> places = new ArrayList<>();
        int slot = member.isStatic() ? 0 : 1;
        for (String type : parameters(member.descriptor)) {
            Code.Variable v = code.variable(slot, 0);
            Code.Variable named = v != null ? v : new Code.Variable(0, code.size(), "arg" + slot, type, slot);
            parameters.add(new Code.Variable(0, code.size(), named.name(), type, slot));
            names.add(named.name());
            places.add(Scope.member(named));
            slot += Reading.wide(type) ? 2 : 1;
        }
        method.parameters = names;
        method.places = places;
        s.variables = parameters;
        self(prologue()).values(parameters).push(Sites.add(s)).call("enter", "(Ljava/lang/Object;[Ljava/lang/Object;I)V");
    }

    /** Runs when the method begins, in a constructor when there is an object. */
    Piece prologue() {
        return from == 0 ? code.prologue() : code.after(from - 1);
    }

    Piece self(Piece p) {
        return member.isStatic() ? p.op(Opcodes.ACONST_NULL) : p.load(0, "L");
    }

    private void ends() {
        int number = Sites.add(site());
        String result = member.descriptor.substring(member.descriptor.indexOf(')') + 1);
        for (int i = from; i < code.size(); i++) {
            int op = code.op(i);
            if (assigned != null && !assigned.reached(i)) {
                continue;
            }
            if (op == Opcodes.RETURN) {
                code.before(i).push(number).call("left", "(I)V");
            } else if (code.returns(i)) {
                copy(code.before(i), result).push(number).call("left", "(Ljava/lang/Object;I)V");
            }
        }
        code.caught(from).op(Opcodes.DUP).push(number).call("raised", "(Ljava/lang/Throwable;I)V").op(Opcodes.ATHROW);
    }

    static Piece copy(Piece p, String type) {
        return p.op(Reading.wide(type) ? Opcodes.DUP2 : Opcodes.DUP).box(type);
    }

    /** Tells of calls that end the program. */
    private void exits() {
        for (int i = from; i < code.size(); i++) {
            if (Failures.exit(code, i)) {
                code.before(i).op(Opcodes.DUP).call("exits", "(I)V");
            }
        }
    }

    // Lines.

    private void statements() {
        code.lines.forEach((start, line) -> {
            if (start >= from && reading.statements.contains(start) && assigned.reached(start)) {
                code.before(start).push(line).call("line", "(I)V");
            }
        });
        for (int i = from; i < code.size(); i++) {
            int back = code.jump(i);
            if (rounds(i) && rounds.add(back)) { // what the round before has read is not of it
                code.before(back).push(code.lines.floorEntry(back).getValue()).call("line", "(I)V");
            }
        }
    }

    private List<Code.Variable> visible(int start) {
        return named(start).filter(v -> assigned.holds(v, start)).toList();
    }

    private Stream<Code.Variable> named(int i) {
        return code.variables.stream().filter(v -> v.start() <= i && i < v.end() && !v.name().equals("this"));
    }

    private void hit(int start, Site.Probe probe) {
        if (!assigned.reached(start)) {
            return;
        }
        Site s = lineSite(start);
        s.probe = probe;
        self(code.before(start)).values(s.variables).push(Sites.add(s)).call("hit", "(Ljava/lang/Object;[Ljava/lang/Object;I)V");
    }

    private Site lineSite(int start) {
        Site s = site();
        s.line = code.lines.floorEntry(start) == null ? method.line : code.lines.floorEntry(start).getValue();
        s.variables = visible(start);
        s.later = code.variables.stream().map(Code.Variable::name).distinct().toList();
        s.index = code.named();
        return s;
    }

    private void follow() {
        code.lines.forEach((start, line) -> {
            if (start >= from && !isLast(start) && reading.statements.contains(start) && assigned.reached(start)) {
                reached(start, line, false);
            } else if (start >= from && catches(start) && assigned.reached(start)) { // what is caught lies on the stack until then
                Site s = lineSite(start);
                s.line = line;
                line(code.before(start + 1), s);
            }
        });
        for (int i = from; i < code.size(); i++) {
            if (code.returns(i) && assigned.reached(i)) {
                reached(i, 0, false);
            }
            out(i);
            if (rounds(i) && rounds.add(code.jump(i))) { // the table of lines does not say that the head runs again
                reached(code.jump(i), code.lines.floorEntry(code.jump(i)).getValue(), true);
            }
        }
    }

    /** Whether a catch clause begins there, with giving its variable what was caught. */
    private boolean catches(int start) {
        return code.op(start) == Opcodes.ASTORE && start + 1 < code.size() && code.variables.stream().anyMatch(v -> v.start() == start + 1);
    }

    /** Whether it jumps back to a statement in the middle of a line, the head of its loop. */
    private boolean rounds(int i) {
        int back = code.jump(i);
        return back >= from && back <= i && reading.statements.contains(back) && assigned.reached(back) && !code.lines.containsKey(back) && code.lines.floorEntry(back) != null;
    }

    /** The block of a variable may end with an instruction: what it holds then no later line sees. */
    private void out(int i) {
        List<Integer> next = new ArrayList<>(code.targets(i));
        boolean jumps = !next.isEmpty();
        if (!code.leaves(i)) {
            next.add(i + 1);
        }
        List<Code.Variable> seen = named(i).filter(v -> jumps ? assigned.holds(v, i) : assigned.holdsAfter(v, i)).toList();
        if (seen.stream().anyMatch(v -> next.stream().anyMatch(to -> to < v.start() || to >= v.end()))) {
            Site s = lineSite(i);
            s.line = Lines.OUT;
            s.variables = seen;
            line(jumps ? code.before(i) : code.after(i), s);
        }
    }

    /** Whether it is where the method ends, which is no statement of its own. */
    private boolean isLast(int start) {
        return start == code.size() - 1 && (code.returns(start) || code.op(start) == Opcodes.ATHROW);
    }

    private void reached(int start, int line, boolean again) {
        Site s = lineSite(start);
        s.line = line;
        s.again = again;
        line(code.before(start), s);
    }

    private void line(Piece at, Site s) {
        self(at).values(s.variables).push(Sites.add(s)).call("line", "(Ljava/lang/Object;[Ljava/lang/Object;I)V");
    }

    /** Where the wanted lines are in this class: the beginnings of statements, else of what stands there. */
    private Map<ClassFile.Member, TreeMap<Integer, Site.Probe>> probes() {
        Map<ClassFile.Member, TreeMap<Integer, Site.Probe>> found = new HashMap<>();
        for (Site.Probe probe : wish.probes) {
            if (!Hooks.live && !probe.file.equals(file)) { // there other files do not come here
                continue;
            }
            int best = 3;
            Map<ClassFile.Member, List<Integer>> starts = new HashMap<>();
            for (ClassFile.Member m : at(probe)) {
                Reading r = new Reading(in, m);
                int parent = 0;
                if (m.name.equals("<init>")) {
                    member = m;
                    code = m.code;
                    parent = Math.max(0, afterParent());
                }
                for (Map.Entry<Integer, Integer> e : m.code.lines.entrySet()) {
                    if (e.getValue() != probe.line || e.getKey() < parent) {
                        continue;
                    }
                    int rank = r.statements.contains(e.getKey()) ? m.name.startsWith("lambda$") ? 1 : 0 : 2;
                    if (rank < best) {
                        starts.clear();
                        best = rank;
                    }
                    if (rank == best && (rank < 2 || starts.isEmpty())) {
                        starts.computeIfAbsent(m, k -> new ArrayList<>()).add(e.getKey());
                    }
                }
            }
            starts.forEach((m, list) -> list.forEach(o -> found.computeIfAbsent(m, k -> new TreeMap<>()).put(o, probe)));
        }
        return found;
    }

    /** The methods with code at a line: where lambda expressions have the variables that are asked for, those. */
    private List<ClassFile.Member> at(Site.Probe probe) {
        List<ClassFile.Member> all = in.methods.stream().filter(m -> m.code != null && m.code.lines.containsValue(probe.line) && !m.isSynthetic()).toList();
        Set<String> around = new java.util.HashSet<>();
        all.stream().filter(m -> !m.name.startsWith("lambda$")).forEach(m -> m.code.variables.forEach(v -> around.add(v.name())));
        List<ClassFile.Member> inner = all.stream().filter(m -> m.name.startsWith("lambda$")
            && m.code.variables.stream().anyMatch(v -> probe.names.contains(v.name()) && !around.contains(v.name()))).toList();
        return inner.isEmpty() ? all : inner;
    }

    // What is read.

    private void read(Reading.Read r) {
        Site s = site();
        s.name = r.name;
        s.index = r.index;
        s.given = r.given == null ? null : r.given.replace('/', '.');
        s.member = r.member;
        s.owner = r.kind == Reading.Kind.STATIC ? r.owner : null;
        String type = r.type.equals("A") ? "Ljava/lang/Object;" : r.type;
        boolean wide = Reading.wide(type);
        Piece after = code.after(r.at);
        switch (r.kind) {
            case LOCAL, STATIC -> copy(after, type).push(Sites.add(s)).call("read", "(Ljava/lang/Object;I)V");
            case FIELD -> {
                code.before(r.at).op(Opcodes.DUP);
                after.op(wide ? Opcodes.DUP2_X1 : Opcodes.DUP_X1).box(type).push(Sites.add(s)).call("read", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            }
            case ELEMENT -> {
                code.before(r.at).op(Opcodes.DUP2);
                after.op(wide ? Opcodes.DUP2_X2 : Opcodes.DUP_X2).box(type).push(Sites.add(s)).call(r.owner == null ? "read" : "got", "(Ljava/lang/Object;ILjava/lang/Object;I)V");
            }
            case GET -> {
                code.before(r.at).op(Opcodes.DUP2);
                after.op(Opcodes.DUP_X2).push(Sites.add(s)).call("got", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V");
            }
            case ITERATOR -> {
                code.before(r.at).op(Opcodes.DUP);
                after.op(Opcodes.DUP_X1).call("iterates", "(Ljava/lang/Object;Ljava/lang/Object;)V");
            }
            default -> {
                code.before(r.at).op(Opcodes.DUP);
                after.op(Opcodes.DUP_X1).push(Sites.add(s)).call("next", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            }
        }
    }

    /** The types of a method's parameters. */
    static List<String> parameters(String descriptor) {
        List<String> list = new ArrayList<>();
        for (int i = 1; descriptor.charAt(i) != ')'; ) {
            int start = i;
            while (descriptor.charAt(i) == '[') {
                i++;
            }
            i = descriptor.charAt(i) == 'L' ? descriptor.indexOf(';', i) + 1 : i + 1;
            list.add(descriptor.substring(start, i));
        }
        return list;
    }
}
