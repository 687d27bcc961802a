# frozen_string_literal: true

module AidbRecorder
  # Notes the moments at which the condition of a Wish.First comes to hold. A block is part of the
  # call that it stands in, as the body of a loop is.
  class First
    MISSING = Core::MISSING
    CALLERS = 5
    MANY = 1000 # instances of which is not kept what they were before
    # What is known of a call: the line of the statement that ran last, and the last judgement.
    Call = Struct.new(:number, :ran, :furthest, :begun, :held, :was)

    def initialize(recorder, wish)
      @recorder, @notes, @program = recorder, recorder.notes, recorder.program
      @instances = Instances.new(wish["each"], recorder) if wish["each"].to_s != ""
      @condition = Condition.new(wish["condition"], !@instances.nil?)
      @expressions = (wish["expressions"] || []).map { |x| Expression.new(x, "expressions") }
      @changes, @left, @last = wish["changes"], wish["limit"], {}
      @stacks, @places = Stacks.new(recorder, self), Places.new
      @names, @lines, @within = [], {}, {}
      (wish["scope"] || []).each { |part| scope(part) }
      @matched = @names.empty?
      @judged = Judged.new(@notes.records)
    end

    def compiled(path, codes)
      @instances&.compiled(path, codes)
      @stacks.compiled(path, codes) unless @done
    end

    # What happens.

    def entered(frame, tp, state, _below)
      return if @done

      @places.begin_frame(frame, tp.binding)
      home = home(frame, state)
      frame.more = home ? home.more : {}
      return if home

      frame.more[:call] = Call.new(frame.number)
    end

    def reached(frame, tp, state)
      return if @done

      call = call(frame)
      judge(call, frame, tp.binding, state, tp.lineno) if !@condition.of_result? && within?(frame, tp.lineno)
      call.ran = tp.lineno
      call.furthest = tp.lineno if call.furthest.nil? || call.furthest < tp.lineno
    end

    def left(frame, outcome, state, tp)
      return if @done || tp.nil? || outcome.nil? || !within?(frame, nil)

      if @condition.of_result?
        return unless outcome[0] == :value && frame.code.kind == :method

        return judge(call(frame), frame, tp.binding, state, nil, [outcome[1]])
      end
      judge(call(frame), frame, tp.binding, state, nil)
    end

    def ended
      @stacks.ended
      @judged.whole
      return @recorder.unmatched(@names, "scope", any: false) unless @matched
      return unless @instances && @instances.number.zero?

      @notes.remark("no instance of #{@instances.name} was built that has an initialize of the program's own")
    end

    private

    def scope(part)
      found = part.match(/\A(.+\.rb):(\d+)\z/)
      return @names << part unless found

      path, line = @recorder.line(found[1], found[2].to_i, "scope")
      (@lines[path] ||= []) << line
    end

    # The frame of the call that a block stands in.
    def home(frame, state)
      return nil unless frame.code.kind == :block && frame.scope && frame.scope.outer

      at = state.stack.rindex { |f| !f.equal?(frame) && f.scope.equal?(frame.scope.outer) && f.more }
      at && state.stack[at]
    end

    def call(frame)
      frame.more ||= {}
      frame.more[:call] ||= Call.new(frame.number)
    end

    # Says that it is judged in a function, and in front of a line.
    def within?(frame, line)
      return true if @names.empty? && @lines.empty?
      return true if line && @lines[frame.path]&.include?(line)

      key = [frame.path, frame.function]
      @within.fetch(key) do
        function = frame.function.sub(/\Ablock (?:\(\d+ levels\) )?in /, "")
        @within[key] = @names.any? { |n| @program.named?(frame.path, function, n) }
        @matched ||= @within[key]
        @within[key]
      end
    end

    def judge(call, frame, binding, state, seen, result = [])
      return unless @condition.bound?(binding) && assigned?(call, frame, binding)
      return judge_each(call, frame, binding, state, seen) if @instances

      number = @judged.one
      return compare(call, frame, binding, state, seen, number, result) if @changes

      holds = begin
        result.empty? ? @condition.value(binding) : @condition.function(binding).call(result[0])
      rescue StandardError, ScriptError => e
        return vain(call, frame, state, e)
      end
      moment(call, frame, binding, state, seen, number, result, call.was) if holds && !(call.begun && call.held)
      call.begun, call.held = true, holds
      call.was = look(frame, binding) unless holds
    end

    # Says that its locals have been given a value: one that is nil may be there for Ruby alone,
    # which has it from the beginning of the function.
    def assigned?(call, frame, binding)
      @condition.names.all? do |name|
        next true unless binding.local_variable_defined?(name) && binding.local_variable_get(name).nil? && frame.scope

        line = frame.scope.assigned_at(name)
        line.nil? || !call.furthest.nil? && call.furthest >= line
      end
    end

    # Judges each instance by itself, wherever it was judged before.
    def judge_each(call, frame, binding, state, seen)
      living = @instances.living
      return if living.empty?

      number, function = @judged.one, @condition.function(binding)
      @judged.instances = @instances.number
      failed = nil
      living.each do |one, it|
        holds = function.call(it)
        moment(call, frame, binding, state, seen, number, [it], one.was, [one.number, living.size]) if holds && !one.held
        one.held = holds
        one.was = look(frame, @condition.given(binding, it)) if !holds && living.size <= MANY
      rescue StandardError, ScriptError => e
        failed ||= e
      end
      vain(call, frame, state, failed) if failed
    end

    # Notes the value where it is not that of the judgement before in this thread.
    def compare(call, frame, binding, state, seen, number, result)
      shown = begin
        @notes.shown(result.empty? ? @condition.value(binding) : @condition.function(binding).call(result[0]))
      rescue StandardError, ScriptError => e
        { e: Core.failure(e) }
      end
      return if @last[state.thread] == shown

      @last[state.thread] = shown
      values = [shown] + asked(binding, result)
      @notes.put(%("k":"changed",#{at(call, frame, state)},"h":#{number}#{place(call, frame, seen)},) +
        %("a":#{Json.dump([@condition.text] + @expressions.map(&:text))},"v":#{@notes.encoded(values)},"s":#{Json.dump(callers(frame, state))}))
    end

    def moment(call, frame, binding, state, seen, number, given, was, instance = nil)
      return if @left <= 0

      @left -= 1
      names = @condition.looked.keys + @condition.called
      inner = given.empty? ? binding : @condition.given(binding, given[0])
      values = @condition.looked.map { |text, path| shown_operand(text, path, frame, inner) }
      values += @condition.called.map { |text| shown { @condition.operand(text, binding, given) } }
      values += asked(binding, given)
      body = %("k":"moment",#{at(call, frame, state)},"h":#{number}#{place(call, frame, seen)},) +
             %("a":#{Json.dump(names + @expressions.map(&:text))},"v":#{@notes.encoded(values)})
      body += %(,"b":#{@notes.encoded(was)}) if was && !was.empty?
      body += %(,"e":#{instance[0]},"g":#{instance[1]}) if instance
      @notes.put("#{body},\"s\":#{Json.dump(callers(frame, state))}")
      @done = true if @left <= 0
      @stacks.stop if @done
    end

    # What the condition compares and a look tells, as it is before it holds.
    def look(frame, binding)
      @condition.looked.map { |_, path| shown_path(path, frame, binding) }
    end

    def shown_path(path, frame, binding)
      value = @places.value(path, frame, binding)
      value = looked_at(path, frame, binding) if value.equal?(MISSING)
      value.equal?(MISSING) ? { e: "not looked at: that would call a method" } : @notes.shown(value)
    end

    # At the moment itself all is called that the condition has called.
    def shown_operand(text, path, frame, binding)
      value = @places.value(path, frame, binding)
      value.equal?(MISSING) ? shown { binding.eval(text) } : @notes.shown(value)
    end

    # What a method of the language's own types tells: list.size.
    def looked_at(path, frame, binding)
      return MISSING unless path.kind == :attr && Condition::LOOKING.include?(path.name)

      base = @places.value(path.base, frame, binding)
      Condition::CORE.include?(Core.type(base)) ? base.public_send(path.name) : MISSING
    end

    def asked(binding, given)
      @expressions.map { |x| shown { given.empty? ? x.value(binding) : @condition.operand(x.text, binding, given) } }
    end

    def shown
      @notes.shown(yield)
    rescue NameError
      { e: "not readable here" }
    rescue StandardError, ScriptError => e
      { e: Core.failure(e) }
    end

    def vain(call, frame, state, error)
      return unless @judged.vain

      @notes.put(%("k":"remark",#{at(call, frame, state)},"m":#{Json.quote("the condition could not be judged each time: #{Core.failure(error)}")}))
    end

    def at(call, frame, state)
      %(#{@recorder.where(frame.path, call.ran || frame.code.line, frame.function, state)},"c":#{call.number})
    end

    def place(call, frame, seen)
      %(#{',"m":"begun"' if call.ran.nil?},"y":#{Json.quote(seen ? "#{frame.path}:#{seen}" : "")})
    end

    def callers(frame, state)
      at = state.stack.rindex { |f| f.equal?(frame) } || state.stack.size
      state.stack[0...at].last(CALLERS).reverse.map { |f| "#{f.function} #{f.path}:#{f.line}" }
    end
  end

  # The instances of a type that a Wish.First names by each, known from when their initialize
  # returns and for as long as the program keeps them.
  class Instances
    MOST = 100_000 # that are known: of what comes after them nothing is
    # One of them, and what was judged of it last.
    Instance = Struct.new(:number, :held, :was)

    attr_reader :name, :number

    def initialize(name, recorder)
      @name, @recorder, @notes = name, recorder, recorder.notes
      @number, @all, @objects, @kinds = 0, [], ObjectSpace::WeakMap.new, {}
      @known = ObjectSpace::WeakMap.new
    end

    def compiled(path, codes)
      return unless @recorder.program.users?(path)

      codes.each do |code|
        next unless code.kind == :method && code.label == "initialize"

        TracePoint.new(:return) { |tp| @recorder.apart { built(tp.self) } }.enable(target: code.iseq)
      end
    end

    # Those that live, each with the object.
    def living
      found = @all.filter_map { |one| (it = @objects[one.number]) && [one, it] }
      @all = found.map(&:first) if found.size < @all.size
      found
    end

    private

    # An initialize returns. Where another one has called it, the object is not built yet: but it is
    # the same.
    def built(object)
      return unless meant?(Core.type(object)) && !@known.key?(object)
      return tell if @number >= MOST

      @number += 1
      @known[object] = object
      @objects[@number] = object
      @all << Instance.new(@number, false)
    end

    def tell
      @notes.remark("only the first #{MOST} instances of #{@name} were looked at") unless @told
      @told = true
    end

    def meant?(kind)
      @kinds.fetch(kind) do
        @kinds[kind] = kind.ancestors.any? { |k| Class === k && (own = Core.name(k)) && (own == @name || own.end_with?("::#{@name}")) }
      end
    end
  end
end
