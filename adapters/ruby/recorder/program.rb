# frozen_string_literal: true

module AidbRecorder
  # What the program consists of: which files are the user's, and how functions are called.
  class Program
    FOREIGN = %r{/(?:vendor/bundle|node_modules|\.bundle)/|/gems/[^/]+-\d[^/]*/}.freeze
    OURS = "#{File.realpath(__dir__)}/"

    def initialize(roots)
      @roots = roots.map { |r| "#{r.chomp('/')}/" }
      @absolute, @users, @functions, @labels, @own = {}, {}, {}, {}, {}
      @defines, @aside = {}, {}
    end

    # The real path of a file as events name it. What is written in C and begins a fiber has none.
    def absolute(path)
      return "" if path.nil?

      @absolute[path] ||= begin
        File.realpath(path)
      rescue SystemCallError
        path
      end
    end

    # Notes a compiled file, before a program can change its directory, and what has frames in it.
    def know(path, absolute, codes)
      @absolute[path] = absolute
      codes.each { |c| @own[[absolute, c.label]] = true }
    end

    # The first of some places that is one of Ruby's code: a method that is written in C has the
    # place of its caller.
    def first_of(places)
      here, below = places
      return here if below.nil? || here.path != below.path || here.lineno != below.lineno || @own[[absolute(here.path), here.label[/[^#.]*\z/]]]

      here.label.start_with?("block", "<") ? here : below
    end

    def users?(path)
      known = @users[path]
      return known unless known.nil?

      root = @roots.find { |r| path.start_with?(r) }
      @users[path] = !root.nil? && !path[root.length - 1..].match?(FOREIGN) && !path.start_with?(OURS)
    end

    # A method as stacks name it: Account#pay, Account.open, and one outside of all by itself.
    def function(tp)
      names = (@functions[tp.defined_class] ||= {})
      names[tp.method_id] ||= begin
        name = "#{Core.receiver_name(tp.defined_class, tp.self)}#{tp.method_id}".delete_prefix("Object#")
        @labels[[tp.path, tp.method_id.to_s]] = name
      end
    end

    # A method of a file as stacks name it, by where it begins: for one of which no call was seen.
    def method_at(path, line, name)
      @labels[[path, name]] ||= begin
        id = name.to_sym
        mod = ObjectSpace.each_object(Module).find { |m| own_method?(m, id) && Core::INSTANCE_METHOD.bind_call(m, id).source_location == [path, line] }
        mod ? "#{Core.receiver_name(mod, mod.singleton_class? ? ObjectSpace.each_object(mod).first : nil)}#{name}".delete_prefix("Object#") : name
      end
    end

    def own_method?(mod, id)
      Core::METHOD_DEFINED.bind_call(mod, id, false) || Core::PRIVATE_DEFINED.bind_call(mod, id, false)
    end

    # The function of a place in a stack, by the name that its calls have where one is known.
    def known(location)
      @labels[[location.path, location.label]] || location.label.delete_prefix("Object#")
    end

    # Says whether a method is meant by a name. What a pattern, a class or a file means is of the
    # user's code.
    def named?(path, function, name)
      return true if name == path || name.end_with?(".rb") && path.end_with?("/#{name}")

      plain, asked = function.tr("#", "."), name.tr("#", ".")
      if name.include?("*")
        return users?(path) && (File.fnmatch(name, function) || File.fnmatch(asked, plain) || File.fnmatch(asked, plain[/[^.]*\z/]))
      end
      return !goes_before?(name, path, function) if plain == asked || plain.end_with?("::#{asked}", ".#{asked}")

      owner = plain[/\A(.*)\.[^.]*\z/, 1].to_s
      users?(path) && (owner == asked || owner.end_with?("::#{asked}") || owner.start_with?("#{asked}::"))
    end

    # Says that a name of one word means the user's methods, and not this one of a library.
    def goes_before?(name, path, function)
      return false if users?(path) || !name.match?(/\A[[:lower:]_][[:word:]]*[?!=]?\z/)
      return false unless @defines.fetch(name) { @defines[name] = Nearest.defines?(@roots, name) }

      (@aside[name] ||= {})[function] = true
    end

    # What else goes by the names that were asked for, in words.
    def told_aside
      @aside.map do |name, others|
        "#{name} means your own methods; what libraries call so is asked for by a longer name: #{others.keys.sort.first(3).join(', ')}#{', …' if others.size > 3}"
      end
    end

    # Says that a method of this name may be meant by one of some names.
    def likely?(path, label, names)
      names.any? do |name|
        next true if name == path || name.end_with?(".rb") && path.end_with?("/#{name}")

        last = name[/[^#.:]*\z/]
        last == label || users?(path) && (name.include?("*") || last.match?(/\A[[:upper:]]/))
      end
    end
  end

  # The body of a method without an end begins, as an event of a line, of which Ruby tells none.
  class Begun
    attr_reader :lineno

    def initialize(tp, line)
      @tp, @lineno = tp, line
    end

    def event
      :line
    end

    %i[path binding self method_id callee_id defined_class parameters].each { |name| define_method(name) { @tp.public_send(name) } }
  end

  # A part of a compiled file that has frames of its own.
  class Code
    attr_reader :iseq, :kind, :line, :label, :returns

    # The line of a body that no event tells the beginning of; nil where one does.
    attr_reader :body

    def initialize(iseq, points)
      @iseq, @line, @label = iseq, iseq.first_lineno, iseq.label
      @kind = points.map(&:last).find { |e| KINDS.key?(e) }
      @kind = KINDS.fetch(@kind, :script)
      @returns = points.select { |_, e| e == :return || e == :b_return }.map(&:first)
      @body = unannounced(points) if @kind == :method
      @rescues = false
      iseq.each_child { |c| @rescues ||= c.label.start_with?("rescue in", "ensure in") }
    end

    def rescues?
      @rescues
    end

    # Says that it is what rescues or ensures something, which has the variables of its frame.
    def handler?
      @label.start_with?("rescue in", "ensure in")
    end

    def locals
      @locals ||= @iseq.to_a[10].grep(/\A[[:alpha:]_]/)
    end

    KINDS = { call: :method, b_call: :block, class: :class }.freeze

    # All of a file, the outer ones first.
    def self.all(iseq, found = [])
      found << new(iseq, iseq.trace_points.map { |a, b| a.is_a?(Integer) ? [a, b] : [b, a] })
      iseq.each_child { |c| all(c, found) }
      found
    end

    # The lines in front of which something can be noted.
    def self.lines(iseq)
      codes = all(iseq)
      (codes.filter_map(&:body) + announced(codes)).uniq.sort
    end

    # Those of them that events tell of.
    def self.announced(codes)
      codes.flat_map { |c| c.iseq.trace_points.select { |x| x.include?(:line) }.map { |x| x.find { |y| y.is_a?(Integer) } } }.uniq
    end

    private

    # def x = y has an event for its call and none for its line.
    def unannounced(points)
      @iseq.to_a.last.find { |x| x.is_a?(Integer) } if points.none? { |_, event| event == :line }
    end
  end
end
