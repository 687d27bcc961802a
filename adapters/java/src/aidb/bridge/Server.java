package aidb.bridge;

import aidb.expression.Parser;
import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers the client's requests, one after another and in order on one thread. What must get through
 * while a call into the program does not return (pause and the ends) has threads of its own.
 */
final class Server {
    private static final Set<String> URGENT = Set.of("pause", "disconnect", "terminate");
    private static final Set<String> CALLING = Set.of("evaluate", "setExpression", "exceptionInfo", "variables", "aidb/patch", "aidb/origin", "aidb/sides");

    private final Wire wire;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(Machine::daemon);
    private final ExecutorService others = Executors.newCachedThreadPool(Machine::daemon);
    private volatile CompletableFuture<Void> released = new CompletableFuture<>();
    private volatile Machine machine;
    private volatile Frames frames;
    private Obj started = new Obj(); // the arguments of launch or attach
    private boolean launched;

    Server(Wire wire) {
        this.wire = wire;
    }

    void accept(Obj request) {
        String command = request.text("command");
        if (URGENT.contains(command)) {
            others.execute(() -> answer(request));
        } else if (CALLING.contains(command)) {
            worker.execute(() -> waitFor(request));
        } else {
            worker.execute(() -> answer(request));
        }
    }

    /** Waits for an answer that needs calls into the program, unless a pause comes first. */
    private void waitFor(Obj request) {
        CompletableFuture<Void> release = new CompletableFuture<>();
        released = release;
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> answer(request), others);
        CompletableFuture.anyOf(done, release).join();
    }

    private void answer(Obj request) {
        try {
            Obj body = handle(request.text("command"), request.object("arguments"));
            wire.reply(request, body);
            if (request.text("command").equals("launch") || request.text("command").equals("attach")) {
                wire.event("initialized", new Obj());
            } else if (request.text("command").equals("configurationDone")) {
                configured();
            }
        } catch (Failure e) {
            wire.refuse(request, e.getMessage());
        } catch (VMDisconnectedException e) {
            wire.refuse(request, "the program has ended");
        } catch (RuntimeException | StackOverflowError e) {
            e.printStackTrace();
            wire.refuse(request, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private void configured() {
        Machine m = need();
        m.configured();
        if (!launched && started.flag("stopOnEntry")) {
            m.pause();
        }
    }

    private Machine need() {
        if (machine == null) {
            throw new Failure("no program has been started");
        }
        return machine;
    }

    private Obj handle(String command, Obj a) {
        return switch (command) {
            case "initialize" -> capabilities();
            case "launch" -> {
                launched = true;
                yield begin(a, Launcher.launch(wire, a));
            }
            case "attach" -> begin(a, Launcher.attach(a));
            case "configurationDone" -> null;
            case "disconnect", "terminate" -> end(command.equals("terminate") || a.flag("terminateDebuggee"));
            default -> program(command, a);
        };
    }

    private Obj begin(Obj arguments, VirtualMachine vm) {
        started = arguments;
        vm.setDebugTraceMode(VirtualMachine.TRACE_NONE);
        Machine m = new Machine(vm, wire, new Sources(arguments.texts("sourceRoots")), new Classes(arguments.texts("classRoots")), arguments.text("records"));
        frames = new Frames(m);
        machine = m;
        m.listen();
        return null;
    }

    /** Requests that concern the program. */
    private Obj program(String command, Obj a) {
        Machine m = need();
        return switch (command) {
            case "setBreakpoints" -> Obj.of("breakpoints", m.points.lines(a.object("source").text("path"), a.objects("breakpoints")));
            case "setFunctionBreakpoints" -> Obj.of("breakpoints", m.points.functions(a.objects("breakpoints")));
            case "setDataBreakpoints" -> Obj.of("breakpoints", m.points.watches(a.objects("breakpoints")));
            case "dataBreakpointInfo" -> watchable(a);
            case "setExceptionBreakpoints" -> {
                m.exceptions.set(a.texts("filters"));
                yield null;
            }
            case "aidb/lines" -> Obj.of("lines", m.points.near(a.text("file"), a.number("line"), a.number("count")));
            case "aidb/functions" -> Obj.of("functions", Function.parse(a.text("name")).like(m.classes.all(), a.number("count")));
            case "aidb/process" -> { // is asked before a recorder comes
                m.points.weaves();
                yield Obj.of("pid", started.id("pid"), "stands", m.standing() != null);
            }
            case "aidb/replaced" -> {
                a.texts("classes").forEach(name -> m.vm.classesByName(name).forEach(type -> {
                    Stale.forget(type);
                    m.points.replaced(type);
                }));
                yield null;
            }
            case "threads" -> Obj.of("threads", Threads.list(m));
            case "aidb/threads" -> Obj.of("threads", Threads.digest(m, frames, a.number("levels")));
            case "aidb/waits" -> Waits.of(m);
            case "continue" -> {
                go(null, 0);
                yield Obj.of("allThreadsContinued", true);
            }
            case "next" -> go(a, StepRequest.STEP_OVER);
            case "stepIn" -> go(a, StepRequest.STEP_INTO);
            case "stepOut" -> go(a, StepRequest.STEP_OUT);
            case "pause" -> {
                m.pause();
                released.complete(null);
                yield null;
            }
            default -> standing(command, a, m);
        };
    }

    /** Requests about a program that stands still. */
    private Obj standing(String command, Obj a, Machine m) {
        Machine.Stop stop = m.needStop();
        return switch (command) {
            case "stackTrace" -> frames.stack(Threads.find(m, a.id("threadId")), a.number("startFrame"), a.number("levels"));
            case "scopes" -> frames.scopes(a.number("frameId"));
            case "variables" -> variables(a);
            case "evaluate" -> evaluate(a);
            case "setExpression" -> assign(a);
            case "exceptionInfo" -> {
                if (stop.exception() == null) {
                    throw new Failure("the program did not stop at an exception");
                }
                yield m.exceptions.info(stop, true);
            }
            case "aidb/origin" -> stop.exception() == null ? new Obj() : m.exceptions.origin(stop.thread(), stop.exception());
            case "aidb/sides" -> stop.exception() == null ? new Obj() : Sides.of(m, stop, new Render(calls()));
            case "aidb/returned" -> returned(m);
            case "aidb/patch" -> new Patcher(m).patch(frames.context(a.number("frameId")), a);
            default -> throw new Failure("this adapter has no request \"%s\"", command);
        };
    }

    private Obj go(Obj step, int depth) {
        Machine m = need();
        Machine.Stop stop = m.needStop();
        m.stepper.forget();
        if (step != null) {
            ThreadReference thread = step.id("threadId") == 0 ? stop.thread() : Threads.find(m, step.id("threadId"));
            m.stepper.prepare(thread, depth, Boolean.FALSE.equals(started.get("justMyCode")));
        }
        frames.clear();
        m.resume();
        return null;
    }

    private Obj end(boolean kill) {
        Machine m = machine;
        if (m == null) {
            return null;
        }
        try {
            if (kill) {
                m.vm.exit(143);
            } else {
                m.leave();
            }
        } catch (VMDisconnectedException e) {
            return null; // it ended by itself
        }
        return null;
    }

    /** The client is gone: what it started ends, what it attached to goes on. */
    void abandon() {
        end(launched);
    }

    private Context calls() {
        Machine.Stop stop = need().needStop();
        return stop.set() == null ? null : new Context(machine, stop.thread(), 0).brief();
    }

    private Obj variables(Obj a) {
        Container container = frames.container(a.number("variablesReference"));
        if (a.text("filter").equals("named") && container.size() >= 0) {
            return Obj.of("variables", List.of());
        }
        List<Obj> list = new ArrayList<>();
        Render render = new Render(calls());
        for (Container.Item item : container.items(a.number("start"), a.number("count"))) {
            Obj told = value(render, item.value(), item.declared(), item.path(), "value");
            told.put("name", item.name());
            told.put("evaluateName", item.path().isEmpty() ? null : item.path());
            told.put("presentationHint", item.argument() ? Obj.of("attributes", List.of("argument")) : null);
            told.values().removeIf(java.util.Objects::isNull);
            list.add(told);
        }
        return Obj.of("variables", list);
    }

    private Obj value(Render render, Value value, String declared, String path, String as) {
        Container container = Container.of(value, path, render);
        int size = container == null ? -1 : container.size();
        int cut = Render.cut(value);
        return Obj.of(as, render.text(value), "type", Render.type(value, declared), "variablesReference", frames.give(container),
            "indexedVariables", size > 0 ? (Integer) size : cut > 0 ? cut : null);
    }

    private Obj evaluate(Obj a) {
        String text = a.text("expression");
        Value value = Evaluation.value(frames.context(a.number("frameId")), Parser.parse(text));
        return value(new Render(calls()), value, null, text.matches("[\\w.]+(\\([^()]*\\))?(\\[\\d+])*") ? text : "(" + text + ")", "result");
    }

    private Obj assign(Obj a) {
        Value value = Evaluation.assign(frames.context(a.number("frameId")), a.text("expression"), a.text("value"));
        return value(new Render(calls()), value, null, a.text("expression"), "value");
    }

    private Obj watchable(Obj a) {
        String name = a.text("name");
        Names.Place place;
        try {
            place = Evaluation.field(frames.context(a.number("frameId")), Parser.parse(name));
        } catch (Failure e) {
            return Obj.of("description", e.getMessage());
        }
        if (place == null) {
            return Obj.of("description", name + " is no field: only fields of objects and classes can be watched");
        }
        String owner = Names.simple(place.field().declaringType().name());
        return Obj.of("dataId", machine.points.watchable(place.field().isStatic() ? null : place.on(), place.field()),
            "description", owner + "." + place.field().name(), "accessTypes", List.of("read", "write", "readWrite"));
    }

    private Obj returned(Machine m) {
        if (m.stepper.returner() == null) {
            return Obj.of("variables", List.of());
        }
        Obj told = value(new Render(calls()), m.stepper.returned(), null, "", "value");
        told.put("name", m.stepper.returner());
        return Obj.of("variables", List.of(told));
    }

    private static Obj capabilities() {
        Obj caps = Obj.of("exceptionBreakpointFilters", Exceptions.filters());
        for (String name : List.of("ConfigurationDoneRequest", "ConditionalBreakpoints", "HitConditionalBreakpoints", "LogPoints",
            "FunctionBreakpoints", "DataBreakpoints", "SetExpression", "ExceptionInfoRequest", "TerminateRequest", "EvaluateForHovers",
            "DelayedStackTraceLoading")) {
            caps.put("supports" + name, true);
        }
        caps.put("supportTerminateDebuggee", true);
        return caps;
    }
}
