# frozen_string_literal: true

module AIDB
  # Raising stops the program at exceptions: where they are raised, and, of those that nobody
  # has rescued, at their end with the frames of the moment at which they were raised.
  module Raising
    # Recent are the exceptions of a thread that were raised last, with their frames. They hang
    # on the thread and not on the exception, which may be frozen, or be sent elsewhere.
    KEPT = 4

    @filters = []
    @cause = {}.compare_by_identity

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
        recent.find { |known, _| known.equal?(error) }&.last
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

      def harmless?(error) = ::SystemExit === error || ::SignalException === error || error.class.name.nil? && false

      def recent = Thread.current.thread_variable_get(:aidb_recent) || []

      def raised(event)
        error = event.raised_exception
        return if AIDB.quiet? || harmless?(error)

        client = DEBUGGER__::ThreadClient.current
        return if client.management? || event.path.start_with?(OWN)

        known = recent
        again = known.any? { |other, _| other.equal?(error) }
        unless again
          shown = DEBUGGER__.capture_frames(DEBUGGER__::ThreadClient.instance_method(:suspend).source_location[0].then { |file| File.dirname(file) })
          Thread.current.thread_variable_set(:aidb_recent, [[error, shown], *known].first(KEPT))
        end
        client.stop_at(error) if @filters.include?('raised') && !again
      end

      def details(error, depth = 0)
        cause = error.cause
        inner = cause && depth < 10 ? [details(cause, depth + 1)] : []
        name = Values.class_name(error)
        { typeName: name, fullTypeName: name, message: Values.message(error), stackTrace: (error.backtrace || []).first(200).join("\n"), innerException: inner }
      end
    end
  end

  # What ends the program by an exception stops it before that.
  at_exit { Raising.ended($!) if $! }
end
