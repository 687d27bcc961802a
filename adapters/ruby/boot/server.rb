# frozen_string_literal: true

module AIDB
  CAPABILITIES = {
    supportsConfigurationDoneRequest: true, supportsConditionalBreakpoints: true, supportsExceptionInfoRequest: true,
    supportsEvaluateForHovers: true, supportsDelayedStackTraceLoading: true, supportTerminateDebuggee: true, supportsTerminateRequest: true,
    exceptionBreakpointFilters: [
      { filter: 'raised', label: 'Raised exceptions' },
      { filter: 'uncaught', label: 'Uncaught exceptions', default: true }
    ]
  }.freeze

  # Server speaks DAP in place of rdbg's own server, on the thread that reads. What is asked of
  # a thread that stands still goes by way of rdbg's session to that thread.
  module Server
    ASKED = %w[stackTrace scopes variables evaluate exceptionInfo aidb/returned aidb/arguments aidb/patch aidb/sides].freeze

    def dap_setup(bytes)
      DEBUGGER__::CONFIG.set_config(no_color: true)
      @seq = 0
      answer_initialize(JSON.parse(bytes))
    end

    def recv_request
      while (request = super)
        return request unless handle(request)
      end
      AIDB.configured << :gone
      let_go
      nil
    end

    def send(**message)
      (@writing ||= ::Mutex.new).synchronize do
        message[:seq] = @seq += 1
        text = JSON.generate(message)
        @sock.write("Content-Length: #{text.bytesize}\r\n\r\n#{text}")
      end
    rescue ::SystemCallError, ::IOError
      nil
    end

    # event tells of a stop.
    def event(type, *args)
      return unless type.start_with?('suspend')
      return @q_msg << 'c' if type == :suspend_trap && !@pausing # of the signal by which rdbg itself joins

      @pausing = false
      @stopped = true
      client = DEBUGGER__::SESSION.client(args.last)
      send_event('stopped', threadId: args.last, allThreadsStopped: true, **(client&.stopped || { reason: 'pause' }))
    end

    # readline is rdbg's way to ask what to do. When nobody is there any more, it is to go on.
    def readline(*) = @q_msg&.pop || 'c'

    def pause = nil # rdbg would stop the program when somebody connects

    def puts(*) = nil

    private

    def answer_initialize(request)
      send_response(request, **CAPABILITIES)
      send_event('initialized')
    end

    def handle(request)
      return false unless request['type'] == 'request'

      arguments = request['arguments'] || {}
      case request['command']
      when 'initialize' then answer_initialize(request)
      when 'launch', 'attach' then send_response(request)
      when 'configurationDone' then configure(request)
      when 'setBreakpoints' then set_breakpoints(request, arguments)
      when 'setExceptionBreakpoints' then set_exceptions(request, arguments)
      when 'threads' then send_response(request, threads: AIDB.threads, aidb: true)
      when 'aidb/digest' then send_response(request, threads: AIDB.digest(arguments['depth'].to_i))
      when 'aidb/lines' then send_response(request, lines: Points.nearest(arguments['path'], arguments['line'], arguments['count']))
      when 'pause' then interrupt(request)
      when 'continue', 'next', 'stepIn', 'stepOut' then resume(request)
      when 'disconnect', 'terminate' then finish(request, arguments)
      when *ASKED then ask(request)
      else refuse(request, "there is no request #{request['command']}")
      end
      true
    rescue ::StandardError => e
      refuse(request, "#{e.class}: #{e.message}")
      true
    end

    def refuse(request, message) = send_response(request, success: false, message: message)

    def configure(request)
      send_response(request)
      AIDB.configured << true
      # It may have stood when we came; at a stop that was told of meanwhile it stays.
      @q_msg << 'c' if AIDB.settings['attached'] && @session.in_subsession? && !@stopped
    end

    def set_breakpoints(request, arguments)
      path = arguments.dig('source', 'path')
      send_response(request, breakpoints: Points.replace(path, arguments['breakpoints'] || []))
    end

    def set_exceptions(request, arguments)
      Raising.choose(arguments['filters'] || [])
      send_response(request)
    end

    def interrupt(request)
      send_response(request)
      return if @session.in_subsession? || Stopping.pause(Thread.main)

      @pausing = true
      Process.kill(DEBUGGER__::UI_ServerBase::TRAP_SIGNAL, Process.pid) unless @session.in_subsession?
    end

    WORDS = { 'continue' => 'c', 'next' => 'n', 'stepIn' => 's', 'stepOut' => 'fin' }.freeze

    def resume(request)
      return refuse(request, 'the program runs') unless @session.in_subsession?

      word = @session.standing&.past? ? 'c' : WORDS[request['command']]
      send_response(request, allThreadsContinued: true)
      AIDB.references.clear
      @stopped = false
      @q_msg << word
    end

    def ask(request)
      return refuse(request, 'the program runs') unless @session.in_subsession?

      @q_msg << request
    end

    def finish(request, arguments)
      send_response(request)
      if arguments['terminateDebuggee'] || request['command'] == 'terminate'
        Process.kill(:KILL, Process.pid)
      else
        let_go
      end
    end

    # let_go leaves the program as it was without us.
    def let_go
      Points.clear
      Raising.choose([])
      @session.clients.each(&:forget_step)
      @q_msg << 'c' if @session.in_subsession?
    end
  end

  # rdbg 1.8 and newer call what a thread has answered so, of every protocol.
  ANSWERED = DEBUGGER__::Session.method_defined?(:process_protocol_result) ? :protocol_result : :dap_result

  # Asking is the session's part.
  module Asking
    def client(id) = @th_clients.each_value.find { |client| client.id == id }

    def link = @ui

    def clients = @th_clients.values

    def standing = @tc

    def process_protocol_request(request)
      client, thing = asked(request)
      if client&.waiting?
        client << [:dap, :aidb, request, thing]
        nil
      elsif request['command'] == 'stackTrace' && client
        @ui.respond(request, AIDB.stack_of(client, request['arguments']))
        :retry
      else
        @ui.respond(request, { success: false, message: 'it stands no longer where it stood' })
        :retry
      end
    end

    # What a thread has answered comes here, under the name that this rdbg has for it.
    define_method(ANSWERED == :dap_result ? :dap_event : :process_protocol_result) do |args|
      type, request, result = args
      next super(args) unless type == :aidb

      @ui.respond(request, result)
    end

    def on_load(iseq, *)
      Points.loaded(iseq)
      super
    end

    private

    def asked(request)
      arguments = request['arguments'] || {}
      reference = arguments['frameId'] || arguments['variablesReference']
      return client(arguments['threadId'] || @tc.id), nil if reference.nil? || reference.zero?

      id, thing = AIDB.references[reference]
      [id && client(id), thing]
    end
  end

  # Answering is the part of a thread that stands still.
  module Answering
    def process_dap(args)
      return super unless args.first == :aidb

      _, request, thing = args
      result =
        begin
          Looking.new(self, AIDB.references).answer(request, thing) || { success: false, message: 'nothing is known of that' }
        rescue Refused => e
          { success: false, message: e.message }
        rescue ::Exception => e # rubocop:disable Lint/RescueException
          { success: false, message: Values.failure(e) }
        end
      event! ANSWERED, :aidb, request, result
    end
  end

  # Link is the server's end of the connection.
  class Link < DEBUGGER__::UI_ServerBase
    def accept
      super
      yield UNIXSocket.new(AIDB.settings['socket'])
    rescue Terminate
      nil
    end
  end

  class << self
    def references = @references ||= References.new

    def configured = @configured ||= ::Queue.new

    def begin
      link = Link.new
      start = DEBUGGER__.method(:initialize_session)
      start.arity.zero? ? start.call { link } : start.call(link)
      exit!(1) if configured.pop == :gone # nobody debugs it any more
      tell_of_ractors
      stop_on_entry if settings['entry']
    end

    # tell_of_ractors says that the program has made one: no event comes from another ractor than this.
    def tell_of_ractors
      return unless defined?(::Ractor)

      begun = TracePoint.new(:call) do
        begun.disable
        link&.send_event('output', category: 'important', output: "the program has made ractors, which are not followed: no breakpoint is hit in them, and no exception is seen\n")
      end
      begun.enable(target: ::Ractor.method(:new))
    end

    # stop_on_entry stops before the first line of the program's own file.
    def stop_on_entry
      main = File.realpath(settings['entry'])
      hook = TracePoint.new(:line) do |tp|
        next unless tp.path == main || File.identical?(tp.path, main)

        tp.disable
        client = DEBUGGER__::ThreadClient.current
        client.stop(tp, { reason: 'entry' })
      end
      hook.enable(target_thread: Thread.current)
    end

    def threads
      DEBUGGER__::SESSION.managed_thread_clients.map { |client| { id: client.id, name: thread_name(client.thread) } }
    end

    def thread_name(thread) = thread == Thread.main ? 'main' : (thread.name || 'thread')

    # tell is a word for the adapter, as an event of output.
    def tell(text) = link&.send_event('output', category: 'telemetry', output: text)

    def link = DEBUGGER__::SESSION.link

    def stack_of(client, arguments)
      frames = backtrace(client)
      from = arguments['startFrame'].to_i
      count = arguments['levels'].to_i
      count = frames.length if count.zero?
      shown = (frames[from, count] || []).each_with_index.map { |frame, i| frame.merge(id: references.add(client.id, Frame.new(nil, from + i))) }
      { stackFrames: shown, totalFrames: frames.length }
    end

    # backtrace are the frames of a thread that cannot be asked: it waits outside of Ruby.
    def backtrace(client)
      places = (client.thread.backtrace_locations || []).reject { |at| at.path.start_with?(OWN, Stopping::LIBRARY, '<internal:') }
      places.each_with_index.map do |at, i|
        native = in_c?(at, places[i + 1])
        frame(native ? "[C] #{at.label}" : at.label, at.absolute_path || at.path, at.lineno)
      end
    end

    # in_c says that a place is of a function written in C, of which Ruby tells where it was
    # called.
    def in_c?(place, caller) = caller && place.path == caller.path && place.lineno == caller.lineno && !place.label.start_with?('block', '<')

    def digest(depth)
      DEBUGGER__::SESSION.managed_thread_clients.map do |client|
        frames = client.waiting? ? client.frames.map { |info| frame(plain_name(info.name), info.realpath || info.path, info.location.lineno) } : backtrace(client)
        { id: client.id, name: thread_name(client.thread), status: status_of(client), frames: frames.first(depth.zero? ? 20 : depth) }
      end
    end

    # status_of is what Ruby says of a thread: "sleep_forever" of one that waits for no time.
    def status_of(client) = client.thread.inspect[/ (\w+)>\z/, 1].to_s
  end

  DEBUGGER__::UI_DAP.prepend(Server)
  DEBUGGER__::Session.prepend(Asking)
  DEBUGGER__::ThreadClient.prepend(Answering)
end
