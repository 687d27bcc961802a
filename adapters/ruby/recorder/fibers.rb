# frozen_string_literal: true

module AidbRecorder
  # What is known of each fiber: the calls that are under way in it, and what was raised last.
  class Fibers
    MANY = 1000

    # One of them.
    class State
      DEEP = 100 # calls above which it is looked whether they are all still there

      attr_reader :stack, :thread, :rests
      attr_accessor :raises, :error, :error_path, :error_method, :last_left, :behind # a time in which nothing was followed

      def initialize(thread, rests, behind)
        @thread, @rests, @stack, @raises, @behind = thread, rests, [], 0, behind
      end

      # Says that more calls are under way than there are frames: no event tells of those that are
      # left because there was no room for one more.
      def overflowed?
        @stack.size > DEEP && caller_locations(@stack.size, 1).nil?
      end

      # Says that what was raised last has come by a line: its own stack knows those at which its
      # frames stood.
      def passed?(path, line)
        return false if error.nil?

        unless @traced.equal?(error)
          @traced = error
          @lines = Core::ERROR_TRACE.bind_call(error)&.to_h { |l| [[l.path, l.lineno], true] }
        end
        @lines.nil? || @lines.key?([path, line])
      end
    end

    def initialize
      @known = {}.compare_by_identity
      @roots = { Fiber.current => true }.compare_by_identity
      @main, @threads, @numbered = Thread.current, {}.compare_by_identity, 0
      @raising = TracePoint.new(:raise) { |tp| raised(tp) }
      @begun = TracePoint.new(:thread_begin) { @roots[Fiber.current] = true }
      @rescued = TracePoint.new(:rescue) { current.error = nil } if rescue_events?
    end

    attr_reader :known

    # Nothing was followed for a time: what is under way in each is to be found.
    def fall_behind
      @behind = true # those too that were not known before
      @known.each_value { |state| state.behind = true }
    end

    def start
      @raising.enable
      @begun.enable
      @rescued&.enable
    end

    def stop
      [@raising, @begun, @rescued].each { |tp| tp&.disable }
    end

    def current
      fiber = Fiber.current
      @known[fiber] ||= begin
        forget_dead if @known.size > MANY
        State.new(thread_name(fiber), !@roots[fiber], @behind)
      end
    end

    # The thread that runs now, empty for the main one. A fiber that a scheduler runs is told
    # apart as a thread is; one of an enumerator's goes on with its caller.
    def thread_name(fiber)
      thread = Thread.current
      name = thread == @main ? "" : @threads[thread] ||= Thread.instance_method(:name).bind_call(thread) || "thread #{@numbered += 1}"
      return name if @roots[fiber] || Fiber.scheduler.nil? || fiber.blocking?

      "#{name} fiber #{@numbered += 1}".strip
    end

    private

    def rescue_events?
      TracePoint.new(:rescue) {}
      true
    rescue ArgumentError
      false
    end

    def raised(tp)
      state = current
      state.raises += 1
      state.error = tp.raised_exception
      state.error_path, state.error_method = tp.path, tp.method_id
    end

    def forget_dead
      @known.delete_if { |fiber, _| !fiber.alive? }
      @roots.delete_if { |fiber, _| !fiber.alive? }
    end
  end

  # How a call has ended. TracePoint does not say whether an exception, a throw or a break has
  # left it: a call that returns does so at one of the lines where it can.
  module Outcome
    module_function

    # [:value, it], [:raised, exception], [:left], [:left_somehow] or [:unknown]. What an exception
    # comes through has run its ensure since, and stands elsewhere.
    def of(tp, code, call, state)
      value = tp.return_value
      return [:value, value] unless value.nil? && code

      ends = code.returns.include?(tp.lineno)
      passed = state.raises != call.raises && state.passed?(tp.path, tp.lineno)
      return ends ? [:value, nil] : [state.raises == call.raises ? :left : :left_somehow] unless passed
      return [:raised, state.error] if !ends || !code.rescues? && directly?(tp, call, state)

      [:unknown]
    end

    # Says that what was raised last came up in this call itself, or has left a call that it
    # had made itself.
    def directly?(tp, call, state)
      error, by = state.last_left
      return by.equal?(call) if error.equal?(state.error)

      state.error_path == tp.path && state.error_method == tp.method_id
    end

    # A Leave's members for an outcome.
    def members(outcome, value)
      case outcome[0]
      when :value then [value, false]
      when :raised then [value, true]
      when :left then [{ e: "it gave back nil from within a block, or was left by a throw or a break" }, false]
      when :left_somehow then [{ e: "it gave back nil from within a block, or was left by an exception, a throw or a break" }, false]
      when :overflow then [{ v: "SystemStackError: stack level too deep" }, true]
      when :lost then [{ e: "it is not seen how it ended" }, false]
      else [{ e: "it is not seen whether it gave back nil or an exception left it" }, false]
      end
    end
  end
end
