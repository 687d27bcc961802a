# frozen_string_literal: true

module AIDB
  # References are those of frames and values of one stop. They are forgotten when the
  # program goes on.
  class References
    def initialize
      @list = []
    end

    def clear = @list.clear

    # add is the reference of what a thread can be asked for, from 1.
    def add(thread, thing)
      @list << [thread, thing]
      @list.length
    end

    def [](reference) = reference.to_i.positive? ? @list[reference - 1] : nil
  end

  Frame = Struct.new(:info, :rank)
  Scope = Struct.new(:frame, :kind)
  # Children are those of a value; path is an expression for it, where one is known.
  Children = Struct.new(:value, :path)

  # Looking answers what is asked of a thread that stands still. It runs in that thread.
  class Looking
    def initialize(client, references)
      @client = client
      @references = references
    end

    def answer(request, thing)
      arguments = request['arguments'] || {}
      case request['command']
      when 'stackTrace' then stack(arguments)
      when 'scopes' then { scopes: scopes(thing) }
      when 'variables' then { variables: variables(thing, arguments) }
      when 'evaluate' then evaluate(thing, arguments)
      when 'exceptionInfo' then Raising.info(@client.raised)
      when 'aidb/returned' then returned
      when 'aidb/arguments' then { names: argument_names(@client.frames[arguments['frame'].to_i]) }
      when 'aidb/patch' then Patching.new(arguments, @client.frames).run
      when 'aidb/sides' then Tests.sides(@client.raised)
      else raise "there is no request #{request['command']}"
      end
    end

    private

    def stack(arguments)
      frames = @client.frames
      from = arguments['startFrame'].to_i
      count = arguments['levels'].to_i
      count = frames.length if count.zero?
      shown = (frames[from, count] || []).each_with_index.map do |info, i|
        AIDB.frame(AIDB.plain_name(info.name), info.realpath || info.path, info.location.lineno).merge(id: @references.add(@client.id, Frame.new(info, from + i)))
      end
      { stackFrames: shown, totalFrames: frames.length }
    end

    def scopes(frame)
      names = frame.info.binding ? frame.info.binding.local_variables.length : 0
      [{ name: 'Locals', presentationHint: 'locals', expensive: false, namedVariables: names,
         variablesReference: @references.add(@client.id, Scope.new(frame, :locals)) },
       { name: 'Globals', presentationHint: 'globals', expensive: true, variablesReference: @references.add(@client.id, Scope.new(frame, :globals)) }]
    end

    def variables(thing, arguments)
      return thing.kind == :globals ? globals : locals(thing.frame.info) if Scope === thing

      children(thing, arguments)
    end

    def locals(info)
      return [] unless (scope = info.binding)

      list = scope.local_variables.reject { |name| name.start_with?('_aidb') }.map { |name| variable(name.to_s, scope.local_variable_get(name), name.to_s) }
      list.unshift(variable('self', scope.receiver, 'self')) unless scope.receiver.equal?(TOPLEVEL_BINDING.receiver)
      list
    end

    def globals
      (global_variables - AIDB.globals).sort.map { |name| variable(name.to_s, eval(name.to_s), name.to_s) } # rubocop:disable Security/Eval, Style/EvalWithLocation
    end

    def argument_names(info)
      return [] unless info&.iseq && info.binding

      info.iseq.locals.first(info.iseq.argc).map(&:to_s).select { |name| name.match?(/\A[[:alpha:]_]/) }
    rescue ::StandardError
      []
    end

    def children(thing, arguments)
      value, path = thing.value, thing.path
      path = "(#{path})" if path && !path.match?(/\A[@$]{0,2}[\w.\[\]"':]+[?!]?\z/)
      case value
      when ::Array then elements(value, path, arguments) + attributes(value)
      when ::Hash then entries(value, path, arguments) + attributes(value)
      when ::Struct then value.members.map { |name| variable(name.to_s, value[name], path && "#{path}.#{name}") } + attributes(value)
      when ::Range then [variable('begin', value.begin, path && "#{path}.begin"), variable('end', value.end, path && "#{path}.end")]
      else Values.set?(value) ? elements(value.to_a, path && "#{path}.to_a", arguments) : attributes(value)
      end
    end

    def elements(list, path, arguments)
      start = arguments['start'].to_i
      count = arguments['count'].to_i
      part = count.zero? ? list : (list[start, count] || [])
      part.each_with_index.map { |element, i| variable("[#{start + i}]", element, path && "#{path}[#{start + i}]") }
    end

    def entries(table, path, arguments)
      count = arguments['count'].to_i
      part = count.zero? ? table : table.first(arguments['start'].to_i + count).drop(arguments['start'].to_i)
      part.map do |key, element|
        simple = [::String, ::Symbol, ::Integer, nil, true, false].any? { |kind| kind === key } # rubocop:disable Style/CaseEquality
        variable("[#{Values.show(key)}]", element, path && simple ? "#{path}[#{key.inspect}]" : nil)
      end
    end

    def attributes(value)
      Values.ivars(value).map do |name|
        variable(name.to_s, Values.ivar(value, name), nil)
      end
    end

    # variable is one of DAP's.
    def variable(name, value, path)
      { name: name, evaluateName: path }.compact.merge(described(value, path || attribute_path(name)))
    end

    def attribute_path(_name) = nil

    def described(value, path, as: :value)
      indexed, named = counts(value)
      reference = indexed + named > 0 ? @references.add(@client.id, Children.new(value, path)) : 0
      length = ::String === value ? { presentationHint: { attributes: ["length:#{value.length}"] } } : {}
      { as => Values.show(value), type: Values.class_name(value), variablesReference: reference, indexedVariables: indexed, namedVariables: named }.merge(length)
    end

    def counts(value)
      case value
      when ::Array then [value.length, Values.ivars(value).length]
      when ::Hash then [value.length, Values.ivars(value).length]
      when ::Struct then [0, value.members.length + Values.ivars(value).length]
      when ::Range then [0, 2]
      when ::String, ::Symbol, ::Numeric, nil, true, false, ::Module then [0, 0]
      else Values.set?(value) ? [value.length, 0] : [0, Values.ivars(value).length]
      end
    end

    def evaluate(frame, arguments)
      text = arguments['expression'].to_s
      value = AIDB.quietly { arguments['context'] == 'aidb/peek' ? Peeking.new(frame&.info).read(text) : compute(frame&.info, text) }
      described(value, text, as: :result)
    rescue Refused
      raise
    rescue ::SystemExit, ::NoMemoryError, ::ScriptError, ::StandardError, ::SystemStackError, ::Interrupt => e
      raise Refused, Values.failure(e)
    end

    def compute(info, text)
      return TOPLEVEL_BINDING.eval(text) unless info
      return info.self.instance_eval(text) unless info.binding

      info.eval_binding.eval(text)
    end

    def returned
      return { variables: [] } unless @client.returned

      name, value = @client.returned
      { variables: [variable(name, value, nil)] }
    end
  end

  # Naming names the class of a frame's method. The debugger calls to_s for that, which may be the
  # program's own, of any length, and do anything.
  module Naming
    private

    def klass_sig = Values.owner(self.class, self.self)
  end

  DEBUGGER__::FrameInfo.prepend(Naming)

  # Refused is what cannot be done, in words for the user.
  class Refused < ::StandardError; end

  class << self
    # frame is one of DAP's, without its id.
    def frame(name, path, line)
      found = path && File.file?(path)
      source = { name: File.basename(path.to_s), path: path.to_s }
      source[:presentationHint] = 'deemphasize' unless found
      { name: name.to_s, line: line, column: 0, source: source }
    end

    # plain_name leaves out the class of methods that are defined outside of all.
    def plain_name(name) = name.to_s.sub(/\A(block (?:\(\d+ levels\) )?in )?Object#/, '\1')

    # quietly evaluates for us: what is raised there is no stop.
    def quietly
      thread = Thread.current
      before = thread[:aidb_quiet]
      thread[:aidb_quiet] = true
      yield
    ensure
      thread[:aidb_quiet] = before
    end

    def quiet? = Thread.current[:aidb_quiet]
  end
end
