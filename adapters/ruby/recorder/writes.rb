# frozen_string_literal: true

module AidbRecorder
  # Which objects lie in the places that are asked about, to know them by other names.
  class Held
    KEPT = 20_000
    attr_accessor :met

    def initialize
      @values = {} # place: the object in it, which it keeps alive
      @places = {}.compare_by_identity
    end

    def put(place, value)
      drop(place)
      return if value.nil?

      @values[place] = value
      (@places[value] ||= {})[place] = true
      drop(@values.each_key.first) if @values.size > KEPT
    end

    def there?(place, value)
      @values[place].equal?(value) && @values.key?(place)
    end

    def of(value)
      @places[value]&.keys || []
    end

    # The other places that what lies in one lies in.
    def beside(place, &block)
      of(@values[place]).each(&block) if @values.key?(place)
    end

    def empty?
      @values.empty?
    end

    def each(&block)
      @values.to_a.each(&block)
    end

    # A call has ended, and its variables are no more.
    def forget(number)
      @values.keys.each { |place| drop(place) if place.start_with?("frame#{number}.") } unless empty?
    end

    private

    def drop(place)
      return unless @values.key?(place)

      value = @values.delete(place)
      @places[value].delete(place)
      @places.delete(value) if @places[value].empty?
    end
  end

  # Notes what statements write to, and what they read before, by looking at the frame when a
  # statement begins and when it has run. Nothing of the program's is called for that. What a
  # statement changes through what it calls is found by comparing the objects that it names
  # before and after; what has changed between two looks, and no statement seen has done it, is
  # said to be unseen.
  class Writes
    MISSING = Core::MISSING
    UNSEEN = "unseen"
    KEPT = 1000 # places, for the statements that run meanwhile
    MOST = 12 # objects of a statement
    HELD = [Array, Hash, String, *(Set if defined?(Set))].freeze # what others do not ask for by names of their own
    CALLERS = 3
    UNKNOWN = Object.new.freeze # what was there was not seen
    # A statement that runs.
    Pending = Struct.new(:statement, :line, :binding, :targets, :objects, :held, :raises, :since)

    # How an object is shown, and what it holds, nil where that is not known.
    Look = Struct.new(:shown, :contents)

    def initialize(recorder, wish, hits)
      @recorder, @notes, @hits = recorder, recorder.notes, hits
      @stacks = Stacks.new(recorder, self)
      @places = Places.new
      @wanted = Wanted.new(wish, @stacks)
      @left = {} # place: the Look of the object in it when it was last noted
      @unsure = nil # where one first began that may have written what was there already
      @rounds = nil # where a loop in one line was first seen to write in its head
      @latest = {} # place: [the value that was noted last to be put there, how many writes were noted until then]
      @written = 0
      @inner = nil # where it was first seen that only what lies in one was changed, if it was
      @held = @wanted.all? || hits && !wish["part"] ? nil : Held.new # who lies in the places that are asked about
      @wanted.by_any_name! if @held
      @stacks.sparse = @sparse = Sparse.new(recorder, @stacks, wish["sparse"], @wanted, hits) if wish["sparse"]
    end

    def compiled(path, codes)
      @stacks.compiled(path, codes)
    end

    def ended
      @stacks.ended
      @notes.remark("#{@rounds}: what all turns of a loop in one line write is told as one write") if @rounds
      return unless @held

      @held.each { |place, value| changed_unseen(place, value) }
      @notes.remark("#{@unsure}: what stands behind a condition in its line is told as a write only where the value became another") if @unsure && !@wanted.all?
      @notes.remark("what lies in #{@wanted.text} was changed, too#{@inner}: that is no write to #{@wanted.text} itself, and is asked about by a name of its own") if @inner
      return unless @wanted.element? && !@held.met

      @notes.remark((@wanted.file ? "the run never came to #{@wanted.file}:#{@wanted.line}, or could not read #{@wanted.text} there" : "no statement that ran names #{@wanted.text}; a location at which it can be read says which object is meant") +
        ": what changes it by another name is not seen")
    end

    # Nothing is followed for a time: what is known of the frames that are under way is kept.
    def pause(frames)
      @places.pause(frames)
    end

    # All is followed again, and nothing is known of what has changed meanwhile.
    def resume
      @places.resume
      @left.clear
      @latest.clear
    end

    # A frame is under way of which it was not noted how it began, or how the statement did that runs in it.
    def goes_on(frame, line, state)
      statement = frame.scope&.statements&.each_value&.find { |s| s.first <= line && line <= s.last }
      return unless statement

      @notes.put(%("k":"use","at":"","f":#{Json.quote(frame.function)},"c":#{frame.number})) if @wanted.all?
      targets = statement.targets.select { |t| @wanted.target?(t.path) && @wanted.own?(frame.scope, t.path) }.map { |t| [t, nil, UNKNOWN] }
      frame.pending.push(Pending.new(statement, statement.first, nil, targets, [], [], state.raises, @written)) unless targets.empty?
    end

    # What happens.

    def entered(frame, tp, state, below)
      @places.begin_frame(frame, tp.binding)
      return unless @wanted.all? && frame.code.kind != :class

      note_enter(frame, tp, state, below)
      frame.noted = true # else there was no room to note it
    end

    def reached(frame, tp, state)
      line = tp.lineno
      finish(frame, state, line, tp) unless frame.pending.empty?
      statement = frame.scope && frame.scope.statements[line]
      statement = nil unless statement && @wanted.relevant?(statement)
      probes = @hits&.at(frame.path, line)
      return unless statement || probes || @held && @wanted.at?(frame.path, line)

      binding = tp.binding
      @places.begin_frame(frame, binding) if frame.env.nil?
      meet(frame, statement, line, binding) if @held && (statement || @wanted.at?(frame.path, line))
      begin_statement(frame, statement, line, binding, state) if statement
      look(probes, frame, tp, binding) if probes
    end

    def left(frame, outcome, state, tp)
      result(frame, outcome[1], state) if outcome && outcome[0] == :value
      finish(frame, state, nil, tp)
      @held&.forget(frame.number)
      note_leave(frame, outcome, state) if frame.noted && outcome
    end

    # The place of a value that was asked for, and who it is.
    def place(shown, expression, binding, _tp)
      return if shown[:e]

      path = expression.path or return
      counts = @sparse&.counts? # what frames are under way is not known then, nor what encloses them
      return if counts && path.bases.any? { |b| b.kind == :const }

      found = @places.find(path, counts ? Stacks::Frame.new : @frame, binding)
      return if found.nil? || found[1].equal?(MISSING)

      shown.merge!(valued(found[0], found[1]).slice(:o, :h, :i))
    end

    private

    def look(probes, frame, tp, binding)
      @frame = frame
      probes.each { |p| sighted(p.values.first.path, frame, binding, tp.lineno) if p.places }
      @hits.reached(tp, frame.path, probes)
    end

    # Before a value is looked at: what has changed unseen of it, and of the objects that it is
    # reached through.
    def sighted(path, frame, binding, line)
      return unless path

      path.bases.each do |b|
        value = @places.value(b, frame, binding)
        unseen(value, frame, line) if @places.object?(value) && !value.equal?(MISSING)
      end
    end

    def begin_statement(frame, statement, line, binding, state)
      use(frame, statement, line, binding, state) if @wanted.all? && (statement.risky? || !statement.reads.empty?)
      targets = once(statement.targets.select { |t| @wanted.target?(t.path) && @wanted.own?(frame.scope, t.path) }).map { |t| [t, *target(t.path, frame, binding)] }
      held = held(frame, statement, line, binding)
      held += renamed(frame, statement, line, binding, held)
      objects = @wanted.aside?(statement) && statement.risky? ? objects(frame, statement, binding) : []
      objects.each { |value| unseen(value, frame, line) }
      return if targets.empty? && held.empty? && objects.empty? && !(statement.risky? && @wanted.aside?(statement))

      frame.pending.push(Pending.new(statement, line, binding, targets, objects, held, state.raises, @written))
    end

    # Of what two statements of one line write in turn the look before them and the one behind tell one write.
    def once(targets)
      certain = targets.reject(&:doubtful)
      (certain + targets).uniq { |t| [t.path.text, t.head, t.at] }
    end

    def target(path, frame, binding)
      found = @places.find(path, frame, binding)
      found || [nil, MISSING]
    end

    def use(frame, statement, line, binding, state)
      names, values = [], []
      statement.reads.each { |path| operand(path, frame, binding, names, values) }
      return if names.empty? && !statement.risky?

      @notes.put(%("k":"use",#{@recorder.where(frame.path, line, frame.function, state)},"c":#{frame.number},"a":#{Json.dump(names)},"v":#{@notes.encoded(values)}))
    end

    # What a statement reads: the whole path, or where a call stands in it what leads there.
    def operand(path, frame, binding, names, values)
      found = @places.find(path, frame, binding)
      if found.nil?
        operand(path.base, frame, binding, names, values) if path.base
        operand(path.key, frame, binding, names, values) if Path === path.key
        return
      end
      return if path.kind == :self || found[1].equal?(MISSING) || @places.code?(found[1]) || names.include?(path.text)

      names << path.text
      values << valued(*found)
    end

    # The objects that a statement names and may change by what it calls.
    def objects(frame, statement, binding)
      found = []
      [*statement.bases, Path.new(:self, nil, nil, nil, "self")].each do |path|
        value = @places.value(path, frame, binding)
        next if value.equal?(MISSING) || !@places.object?(value) || @places.code?(value) || found.any? { |o| o.equal?(value) }

        found << value
        break if found.size == MOST
      end
      found
    end

    # The objects that are asked about themselves, where they lie and how they look.
    def held(frame, statement, line, binding)
      return [] unless @wanted.holds?(statement)

      statement.bases.select { |b| @wanted.held?(b) && @wanted.own?(frame.scope, b) }.filter_map do |path|
        place, value = @places.find(path, frame, binding)
        next if place.nil? || value.equal?(MISSING) || !@places.object?(value)

        [place, value, seen_before(frame, line, place, value)]
      end.uniq(&:first)
    end

    # How an object looks before a statement: what was changed since it was last noted is not its doing.
    def seen_before(frame, line, place, value)
      before = look_at(value)
      put(frame, line, place, @left[place].shown, before, UNSEEN) if @left[place] && written?(@left[place], before)
      before
    end

    # A statement names what is asked about, which another may change then by another name.
    def meet(frame, statement, line, binding)
      named = statement ? @wanted.named(statement) : []
      named = [*named, @wanted.path] if @wanted.at?(frame.path, line)
      named.each do |path|
        next if path.kind == :local && !@wanted.own?(frame.scope, path)

        place, value = @places.find(path, frame, binding)
        next if place.nil? || value.equal?(MISSING)

        @held.met = true
        hold_object(place, value)
      end
    end

    def hold_object(place, value)
      return if @held.there?(place, value)

      @held.put(place, HELD.any? { |kind| kind === value } ? value : nil)
      @left[place] ||= look_at(value) if @held.there?(place, value)
    end

    # The same objects as a statement names them otherwise.
    def renamed(frame, statement, line, binding, held)
      beside(frame, statement, binding, held).map { |place, value| [place, value, seen_before(frame, line, place, value)] }
    end

    # What a statement has called has put an object where it is asked about, which the statement
    # then may have changed: a hash made it when it was asked for it.
    def made_within(pending, frame)
      beside(frame, pending.statement, pending.binding, pending.held)
        .filter_map { |place, value| [place, value, @left[place]] if @left[place] && @latest[place]&.last.to_i > pending.since }
    end

    # The places that are asked about, and the objects in them, that a statement may change by some name of theirs.
    def beside(frame, statement, binding, held)
      return [] unless @held && statement.risky? && !@held.empty?

      statement.bases.flat_map do |path|
        value = @places.value(path, frame, binding)
        next [] if value.equal?(MISSING) || !@places.object?(value)

        (@held.of(value) - held.map(&:first)).map { |place| [place, value] }
      end.uniq(&:first)
    end

    def changed_unseen(place, value)
      before, after = @left[place], look_at(value)
      return if before.nil?
      return (@inner ||= "" if before.shown != after.shown) unless written?(before, after)

      @notes.put(%("k":"write","at":"","f":"the end","o":#{Json.quote(place)},"v":#{@notes.encoded([before.shown, after.shown])},"m":"#{UNSEEN}"))
    end

    def look_at(value)
      Look.new(@notes.shown(value), @wanted.all? ? nil : @places.contents(value))
    end

    def written?(before, after)
      before.contents && after.contents ? !@places.alike?(before.contents, after.contents) : before.shown != after.shown
    end

    # The statements that have run until now: what they have written. One goes on as long as lines
    # within it are reached.
    def finish(frame, state, following, point)
      frame.pending.each { |p| p.binding ||= point&.binding }
      frame.pending.select!(&:binding)
      until frame.pending.empty?
        p = frame.pending.last
        inside = following && following > p.line && following <= p.statement.last
        check(p, frame, state, inside, following == p.line)
        break if inside

        frame.pending.pop
      end
    end

    def check(pending, frame, state, inside, again)
      [*pending.held, *made_within(pending, frame)].each { |h| check_held(h, pending, frame) }
      doubtful = inside || state.raises != pending.raises
      pending.targets.each do |t|
        unsure = t[0].head ? t[3] || again && t[0].head == :loop || state.raises != pending.raises : doubtful
        check_target(t, pending, frame, unsure)
        t[3] ||= inside # what a head writes is written by then
      end
      pending.objects.each { |value| called(value, pending, frame) }
    end

    def check_held(held, pending, frame)
      place, value, before = held
      return if replaced?(place, value, pending)

      after = look_at(value)
      before = @left[place] if @held && @left[place] && written?(before, @left[place]) # what it has called has noted it
      unless written?(before, after)
        @inner ||= ", first at #{File.basename(frame.path)}:#{pending.line}" if after.shown != before.shown
        return
      end
      put(frame, pending.line, place, before.shown, after)
      held[2] = after
    end

    # What it has called has put another object where this one lay: what has become of this one is no
    # write to that place.
    def replaced?(place, value, pending)
      now, number = @latest[place]
      number.to_i > pending.since && !now.equal?(value)
    end

    def check_target(target, pending, frame, doubtful)
      what, place, was = target
      found = @places.find(what.path, frame, pending.binding)
      return if found.nil? || found[0].nil?

      was = @latest[found[0]][0] if @latest[found[0]]&.last.to_i > pending.since # what it has called has put it there

      now = found[1]
      target[2] = now
      @unsure ||= "#{File.basename(frame.path)}:#{pending.line}" if what.doubtful == true && now.equal?(was) && !now.equal?(MISSING)
      return if was.equal?(UNKNOWN) && (doubtful || what.doubtful)
      return if (doubtful || what.doubtful) && now.equal?(was) || now.equal?(MISSING) && was.equal?(MISSING)
      return if now.equal?(was) && pending.held.any? { |h| h[0] == place }

      @rounds ||= "#{File.basename(frame.path)}:#{pending.line}" if what.head == :line
      @places.put(pending.binding.receiver, what.path.name, now) if what.path.kind == :ivar
      called(now, pending, frame) if @wanted.all? && pending.statement.risky? && @places.object?(now) && !now.equal?(MISSING)
      wrote(frame, what.at || pending.line, found[0], was, now)
    end

    # What a statement has changed of an object by what it has called.
    def called(value, pending, frame)
      @places.changed(value).each { |place, was, now| wrote(frame, pending.line, place, was, now) if @wanted.place?(place) }
    end

    def unseen(value, frame, line)
      @places.changed(value).each { |place, was, now| wrote(frame, line, place, was, now, UNSEEN) if @wanted.place?(place) }
    end

    # A call ends: its last statement may have made the result.
    def result(frame, value, _state)
      pending = frame.pending.last
      called(value, pending, frame) if pending && @wanted.all? && pending.statement.risky? && @places.object?(value)
    end

    def wrote(frame, line, place, was, now, unseen = nil)
      before = was.equal?(MISSING) ? {} : was.equal?(UNKNOWN) ? { e: "it was not noted" } : @notes.shown(was)
      after = now.equal?(MISSING) ? Look.new({ e: "deleted" }) : look_at(now)
      identity = @places.identity(now) if !now.equal?(MISSING) && !place.end_with?("[*]") && @places.object?(now)
      now.equal?(MISSING) ? @held.put(place, nil) : hold_object(place, now) if @held
      latest(place, now)
      put(frame, line, place, before, after, unseen, identity)
    end

    def latest(place, now)
      @latest.delete(place)
      @latest.shift if @latest.size > KEPT
      @latest[place] = [now, @written += 1]
    end

    def put(frame, line, place, before, look, unseen = nil, identity = nil)
      @left[place] = look unless @wanted.all?
      @held&.beside(place) { |other| @left[other] = look unless other.start_with?("o") } # variables of one name: a change of what lies in them is told once
      after = identity ? look.shown.merge(i: identity) : look.shown.dup
      hold(after, place)
      state = @recorder.fibers.current
      @notes.put(%("k":"write",#{@recorder.where(frame.path, line, frame.function, state)},"c":#{frame.number},"o":#{Json.quote(place)},) +
        %("v":#{@notes.encoded([before, after])},"s":#{Json.dump(callers(frame, state))}) + (unseen ? %(,"m":"#{unseen}") : ""))
    end

    def callers(frame, state)
      at = state.stack.rindex { |f| f.equal?(frame) } || state.stack.size
      state.stack[0...at].last(CALLERS).reverse.map { |f| "#{f.function} #{f.path}:#{f.line}" }
    end

    def valued(place, value)
      shown = @notes.shown(value)
      shown = shown.merge(o: place) if place
      hold(shown, place) if place
      shown[:i] = @places.identity(value) if @places.object?(value)
      shown
    end

    # Adds the object that a place lies in.
    def hold(shown, place)
      holder = place[/\Ao\d+(?=[.\[])/]
      shown[:h] = holder if holder
    end

    def note_enter(frame, tp, state, below)
      names = tp.parameters.map(&:last).grep(/\A[[:alpha:]_]/).select { |n| tp.binding.local_variable_defined?(n) }
      names |= frame.scope.parameters if frame.scope
      values = names.map { |n| valued(@places.local_place(n, frame, tp.binding), tp.binding.local_variable_get(n)) }
      depth = state.stack.count { |f| f.code.equal?(frame.code) } - 1
      caller = below && ["#{below.function} #{below.path}:#{below.line}"]
      @notes.put(%("k":"enter",#{@recorder.where(frame.path, tp.lineno, frame.function, state)},"c":#{frame.number}) +
        (depth.positive? ? %(,"d":#{depth}) : "") + (state.rests ? ',"w":true' : "") +
        %(,"a":#{Json.dump(names)},"v":#{@notes.encoded(values)}) + (caller ? %(,"s":#{Json.dump(caller)}) : ""))
    end

    def note_leave(frame, outcome, state)
      shown = case outcome[0]
              when :value then valued(nil, outcome[1])
              when :raised then @notes.failed(outcome[1])
              end
      value, raised = Outcome.members(outcome, shown)
      @notes.put(%("k":"leave",#{@recorder.where(frame.path, frame.line, frame.function, state)},"c":#{frame.number},"v":#{@notes.encoded([value])}#{',"x":true' if raised}))
    end
  end
end
