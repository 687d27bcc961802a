# frozen_string_literal: true

module AIDB
  # Raising stops the program at exceptions: where they are raised, and, of those that nobody
  # has rescued, at their end with the frames of the moment at which they were raised.
  module Raising
    # Recent are the exceptions that were raised last, with their frames. They do not hang on
    # the exception, which may be frozen, or be sent elsewhere; and whoever joins a thread raises
    # again what has ended it.
    KEPT = 8

    # Frames take long to read. Where a program raises so much that this has taken a good part of
    # its time, those of places from which exceptions have come often, and were rescued, are not.
    SPENT = 0.5 # seconds
    PART = 0.2 # of the time since the first
    OFTEN = 20
    NEAR = 8 # frames that make a place

    @filters = []
    @recent = []
    @spent = 0
    @places = ::Hash.new(0)

    class << self
      def filters = %w[raised uncaught]

      def choose(names)
        @filters = names & filters
        @hook ||= TracePoint.new(:raise) { |tp| raised(tp) }
        wanted = @filters.any?
        @hook.enable if wanted && !@hook.enabled?
        @hook.disable if !wanted && @hook.enabled?
      end

      def uncaught? = @filters.include?('uncaught')

      # frames are those of the moment at which the exception was raised first.
      def frames(error)
        @recent.find { |known, _| known.equal?(error) }&.last
      end

      # ended stops at an exception that has come to the end of what could rescue it.
      def ended(error)
        return if !uncaught? || harmless?(error) || !(shown = frames(error)) || shown.empty?

        client = DEBUGGER__::ThreadClient.current
        client.stop_past(error, shown)
      end

      def info(error)
        return nil unless error

        name = Values.class_name(error)
        { exceptionId: name, description: Values.message(error), breakMode: 'unhandled', details: details(error) }
      end

      private

      def harmless?(error) = ::SystemExit === error || ::SignalException === error # rubocop:disable Style/CaseEquality

      def raised(event)
        error = event.raised_exception
        return if AIDB.quiet? || harmless?(error)

        client = DEBUGGER__::ThreadClient.current
        return if client.management? || event.path.start_with?(OWN)

        again = @recent.any? { |other, _| other.equal?(error) }
        unless again
          note(error)
        end
        client.stop_at(error) if @filters.include?('raised') && !again
      end

      def note(error)
        begun = now
        @first ||= begun
        often = (@places[caller_locations(3, NEAR).map { |at| [at.path, at.lineno] }.hash] += 1) > OFTEN
        return if often && @spent > SPENT && @spent > PART * (begun - @first)

        @recent = [[error, DEBUGGER__.capture_frames(Stopping::LIBRARY)], *@recent].first(KEPT)
        @spent += now - begun
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

      LIBRARY = %r{/gems/[^/]+-\d[^/]*/|/lib/ruby/|\A<internal:|\A-e:}

      # folded is a backtrace with a line in place of the frames of libraries, but for the first,
      # and without ours.
      def folded(lines)
        lines = lines.reject { |line| line.start_with?(OWN) }
        last = lines.rindex { |line| !line.match?(LIBRARY) } || 0
        lines.first(last + 1).chunk_while { |a, b| a.match?(LIBRARY) && b.match?(LIBRARY) }.first(200)
             .flat_map { |part| part.length > 1 && part[0].match?(LIBRARY) ? ["(#{part.length} library frames)"] : part }.join("\n")
      end

      def details(error, depth = 0)
        cause = error.cause
        inner = cause && depth < 10 ? [details(cause, depth + 1)] : []
        name = Values.class_name(error)
        { typeName: name, fullTypeName: name, message: Values.message(error), stackTrace: folded(error.backtrace || []), innerException: inner }
      end
    end
  end

  # What ends the program by an exception stops it before that.
  at_exit { Raising.ended($!) if $! }
end
