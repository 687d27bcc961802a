# frozen_string_literal: true

module AIDB
  # Stopping is how a thread stands still, and goes on by steps.
  module Stopping
    LIBRARY = File.dirname(DEBUGGER__::ThreadClient.instance_method(:wait_next_action).source_location[0]).freeze

    PAUSE_LIMIT = 0.1 # seconds, until a thread comes to a line

    # pause stops a thread at its next line, if it comes to one soon; otherwise it waits, and
    # needs a signal. Within the handler of that, what takes a lock cannot be evaluated.
    def self.pause(thread)
      came = false
      hook = TracePoint.new(:line) do |tp|
        next if came || AIDB.quiet? || tp.path.start_with?(LIBRARY, OWN, '<internal:')

        came = true
        hook.disable
        DEBUGGER__::ThreadClient.current.stop(tp, { reason: 'pause' })
      end
      hook.enable(target_thread: thread)
      until_at = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PAUSE_LIMIT
      sleep(0.002) until came || Process.clock_gettime(Process::CLOCK_MONOTONIC) > until_at
      hook.disable unless came
      came
    end

    attr_reader :raised, :returned, :stopped

    def frames = @target_frames || []

    # stop has this thread stand still in the middle of an event.
    def stop(event, why)
      @stopped = why
      suspend(event.event, event)
    end

    # stop_at is a stop where an exception is raised.
    def stop_at(error)
      @stopped = { reason: 'exception', text: Values.class_name(error), description: Values.message(error) }
      @next_raised = error
      suspend(:raise)
    end

    # stop_past is a stop with the frames of the moment at which an exception was raised.
    def stop_past(error, frames)
      @stopped = { reason: 'exception', text: Values.class_name(error), description: Values.message(error) }
      @next_raised = error
      @past = true
      suspend(:postmortem, postmortem_frames: frames)
    ensure
      @past = false
    end

    def past? = @past

    def suspend(event, tp = nil, **rest)
      return if management?

      @raised, @next_raised = @next_raised, nil
      @stopped ||= { reason: rest[:sig] ? 'pause' : 'step' } unless event == :pause
      super
    ensure
      @stopped = @raised = nil
      @returned = nil unless @step_tp&.enabled?
    end

    # What rdbg would write for a person at a terminal calls the program's own inspect.
    def show_src(*, **) = nil

    def show_frames(*) = nil

    def step_tp(iterations, events = [:line], &due)
      @step_tp&.disable
      @returned = nil
      return step_out(&due) if events == %i[return b_return]

      @step_tp = TracePoint.new(:line, :return, :b_return) do |tp|
        next if own?(tp.path) || !due.call(tp.event)

        if tp.event != :line
          remember_return(tp)
          next
        end
        next if iterations && (iterations -= 1).positive?

        tp.disable
        arrive(tp, caller_locations(1, 1).first.label)
      end
      @step_tp.enable(target_thread: Thread.current)
    end

    # forget_step gives a step up that has not come to its end.
    def forget_step = @step_tp&.disable

    # stepped_here says, once, that a step has come to where a breakpoint is.
    def stepped_here?
      here, @stepped_here = @stepped_here, nil
      here
    end

    private

    def own?(path) = path.start_with?(LIBRARY, OWN, '<internal:')

    # arrive ends a step. Where there is a breakpoint its own hook comes next and says
    # whether it stops here for more than the step.
    def arrive(event, label)
      if Points.at(event.path, event.lineno, label)
        @stepped_here = true
      else
        stop(event, { reason: 'step' })
      end
    end

    def step_out(&due)
      @step_tp = TracePoint.new(:return, :b_return) do |tp|
        next if own?(tp.path) || !due.call(tp.event)

        tp.disable
        remember_return(tp)
        leave(DEBUGGER__.frame_depth - 2)
      end
      @step_tp.enable(target_thread: Thread.current)
    end

    # leave goes on to where the frame is at work again that called the one at this depth: at
    # its next line, or in the middle of the one that it stands in, where it calls the next
    # function. That function has a frame already, which is not shown.
    def leave(depth)
      @step_tp = TracePoint.new(:line, :call, :b_call, :c_call) do |tp|
        next if own?(tp.path)

        now = DEBUGGER__.frame_depth - 2
        begins = now == depth && %i[call b_call].include?(tp.event)
        next unless begins || now < depth

        tp.disable
        next arrive(tp, caller_locations(1, 1).first.label) if tp.event == :line

        AIDB.hiding(begins) { stop(tp, { reason: 'step' }) }
      end
      @step_tp.enable(target_thread: Thread.current)
    end

    def remember_return(event)
      @returned = [event.method_id ? event.method_id.to_s : 'block', event.return_value]
    end
  end

  # Frames leaves ours out of those that rdbg reads.
  module FramesOfProgram
    def capture_frames(*)
      frames = super.reject { |frame| frame.path.start_with?(OWN) || frame.path.start_with?('<internal:') }
      Thread.current[:aidb_hiding] ? frames.drop(1) : frames
    end
  end

  # hiding leaves out the topmost frame of what is captured meanwhile.
  def self.hiding(wanted)
    Thread.current[:aidb_hiding] = wanted
    yield
  ensure
    Thread.current[:aidb_hiding] = nil
  end

  DEBUGGER__.singleton_class.prepend(FramesOfProgram)
  DEBUGGER__::ThreadClient.prepend(Stopping)
end
