# frozen_string_literal: true

module AidbRecorder
  # An expression whose value a look tells, where nothing but variables, attributes and
  # elements lead to it: kind is local, ivar, gvar, cvar, const, self, attr or element.
  Path = Struct.new(:kind, :name, :base, :key, :text) do
    # All that it leads through, itself first.
    def bases
      found, path = [], self
      while path
        found << path
        found.concat(path.key.bases) if Path === path.key
        path = path.base
      end
      found
    end
  end

  # One statement, or what of a compound one runs when its first line does.
  class Statement
    # What it writes to; one that is doubtful may be left as it is, :unset where that only is if it has a value.
    # One of a head has been written when the run is within the statement: before that, where it is a :loop's,
    # the same line may be come to once more, as of parentheses; all turns of a loop in one :line are one.
    # At is its line, where that is not the first.
    Target = Struct.new(:path, :doubtful, :head, :at)
    BY_NAME = %i[instance_variable_set send public_send __send__ public_method send local_variable_set remove_instance_variable
                 class_variable_set define_method instance_eval instance_exec update replace method].freeze

    attr_reader :first, :targets, :reads, :bases, :attributes
    attr_accessor :last
    attr_writer :returns

    def initialize(line)
      @first = @last = line
      @targets, @reads, @bases, @attributes = [], [], [], []
      @risky = @by_name = @returns = false
    end

    # Its value may be what the method gives, wherever it stands.
    def returns?
      @returns
    end

    # Something may be written to that no target names.
    def risky?
      @risky
    end

    # A member may be written to that is named by a value.
    def by_name?
      @by_name
    end

    def calls(name = nil)
      @risky = true
      @by_name ||= BY_NAME.include?(name)
    end

    def write(path, doubtful)
      @targets << Target.new(path, doubtful)
    end

    def read(path)
      return if path.kind == :self

      @reads << path if @reads.none? { |r| r.text == path.text }
      base(path)
    end

    def base(path)
      path.bases.each { |b| @bases << b if @bases.none? { |o| o.text == b.text } }
    end
  end

  # What runs in frames of its own: a method, a block, a class's body or a file.
  class Scope
    attr_reader :kind, :line, :last, :locals, :statements, :outer, :parameters, :joined

    def initialize(kind, line, last, locals, outer, parameters = [])
      @kind, @line, @last, @locals, @outer, @parameters = kind, line, last, locals, outer, parameters
      @statements = {}
      @closing = []
      @joined = false # it stands for several
    end

    def joins(locals)
      @locals.concat(locals)
      @joined = true
    end

    # Lines that run when what is in front of them is left: what it gives comes not from them.
    def closing(lines)
      @closing << lines
    end

    def closing?(line)
      @closing.any? { |lines| lines.cover?(line) }
    end

    # Says that a line has a return.
    def returns?(line)
      @statements[line]&.returns?
    end

    # Says that the variables around it are seen in it.
    def open?
      @kind == :block
    end

    # How many scopes out a local is at home; nil where it is not known.
    def hops(name)
      scope, n = self, 0
      until scope.locals.include?(name)
        return nil unless scope.open? && scope.outer

        scope, n = scope.outer, n + 1
      end
      n
    end

    # The first line that gives a local its value; nil for a parameter, or where none is seen.
    def assigned_at(name)
      hops = hops(name) or return nil
      scope = self
      hops.times { scope = scope.outer }
      scope.first_assigned(name)
    end

    def first_assigned(name)
      @assigned ||= @statements.values.sort_by(&:first).each_with_object({}) do |s, found|
        s.targets.each { |t| found[t.path.name] ||= s.first if t.path.kind == :local }
      end
      @assigned[name]
    end

    def statement(line)
      @statements[line] ||= Statement.new(line)
    end
  end

  # The scopes and statements of a file, by Ruby's own parser.
  class Source
    NODE = RubyVM::AbstractSyntaxTree::Node
    ASSIGNED = { LASGN: :local, DASGN: :local, DASGN_CURR: :local, IASGN: :ivar, GASGN: :gvar, CVASGN: :cvar, CDECL: :const }.freeze
    READ = { LVAR: :local, DVAR: :local, IVAR: :ivar, GVAR: :gvar, CVAR: :cvar, CONST: :const }.freeze
    LITERALS = %i[LIT STR INTEGER FLOAT SYM].freeze
    OPERATORS = %i[+ - * / % ** == != < > <= >= <=> === =~ !~ & | ^ ~ ! >> +@ -@].freeze

    attr_reader :scopes

    def initialize(path)
      @lines = File.binread(path).force_encoding(Encoding::UTF_8).lines
      @scopes = {}
      root = RubyVM::AbstractSyntaxTree.parse_file(path)
      scope(:script, root, nil)
    rescue SyntaxError, SystemCallError, ArgumentError, EncodingError
      @scopes ||= {}
    end

    # The path that an expression by itself is; nil for any other.
    def self.expression(text)
      allocate.expression(text)
    rescue SyntaxError
      nil
    end

    def expression(text)
      @lines = text.lines
      path_of(RubyVM::AbstractSyntaxTree.parse(text).children.last)
    end

    # The scope whose frame begins at a line.
    def at(kind, line)
      kind == :script ? @scopes[[:script, 0]] : @scopes[[kind, line]]
    end

    # The innermost one around a line.
    def around(line)
      @scopes.values.select { |s| s.line <= line && line <= s.last }.max_by(&:line)
    end

    private

    def scope(kind, node, outer)
      locals = node.children[0].compact
      line = kind == :script ? 0 : node.first_lineno
      known = @scopes[[kind, line]]
      made = known || (@scopes[[kind, line]] = Scope.new(kind, line, node.last_lineno, locals, outer, parameters(node.children[1])))
      made.joins(locals) if known # two that begin in one line are not told apart
      body(node.children.last, made, false)
    end

    # The variables around it that a for gives values to.
    def parameters(node)
      found = []
      each_node(node) { |n| found << n.children[0] if n.type == :LASGN }
      found
    end

    def each_node(node, &block)
      return unless node.is_a?(NODE)

      yield node
      node.children.each { |c| each_node(c, &block) }
    end

    # Statements in a row. Doubtful ones may not run though the first of their line does.
    def body(node, scope, doubtful)
      return unless node.is_a?(NODE)

      case node.type
      when :BLOCK, :BEGIN then node.children.each { |c| body(c, scope, doubtful) }
      when :RESCUE, :ENSURE
        closes(node, scope)
        node.children.each { |c| body(c, scope, doubtful) }
      when :RESBODY then handler(node, scope)
      when :SCOPE then body(node.children.last, scope, doubtful)
      else
        statement = scope.statement(node.first_lineno)
        look(node, statement, scope, doubtful)
      end
    end

    # What stands behind ensure.
    def closes(node, scope)
      last = node.children.last
      scope.closing(last.first_lineno..last.last_lineno) if node.type == :ENSURE && last.is_a?(NODE)
    end

    # What rescues: its classes are looked at in passing.
    def handler(node, scope)
      _, inner, following = node.children
      body(inner, scope, true)
      body(following, scope, true)
    end

    # A part of a statement that stands in lines of its own has statements there. One that
    # begins where the head of it does may not run though its line does.
    def inner(node, statement, scope, head)
      return unless node.is_a?(NODE)

      statement.last = [statement.last, node.last_lineno].max unless statement.targets.empty?
      body(node, scope, node.first_lineno <= head)
    end

    def look(node, s, scope, doubtful)
      return unless node.is_a?(NODE)

      path = path_of(node)
      s.last = [s.last, node.last_lineno].max if path || ASSIGNED.key?(node.type)
      if path
        s.calls(path.name) if path.bases.any? { |b| b.kind == :attr }
        return s.read(path)
      end
      return assigned(node, s, scope, doubtful) if ASSIGNED.key?(node.type)
      return if structure(node, s, scope, doubtful)

      s.last = [s.last, node.last_lineno].max # there are events of its other lines where it has parentheses
      called(node, s)
      node.children.each { |c| look(c, s, scope, doubtful) }
    end

    def assigned(node, s, scope, doubtful)
      name = node.children[0]
      return look(node.children.last, s, scope, doubtful) unless name.is_a?(Symbol)

      s.write(Path.new(ASSIGNED[node.type], name, nil, nil, name.to_s), doubtful)
      look(node.children.last, s, scope, doubtful)
    end

    # What has scopes or statements of its own in it. Says whether that was all.
    def structure(node, s, scope, doubtful)
      kids = node.children
      case node.type
      when :DEFN, :DEFS
        scope(:method, kids.last, nil)
      when :CLASS, :MODULE, :SCLASS
        look(kids[-2], s, scope, doubtful) unless node.type == :MODULE
        scope(:class, kids.last, nil)
      when :ITER, :FOR, :LAMBDA
        s.calls
        look(kids.first, s, scope, doubtful) unless node.type == :LAMBDA
        scope(:block, kids.last, scope)
      when :IF, :UNLESS, :WHILE, :UNTIL, :CASE, :CASE2, :CASE3, :WHEN, :IN then branch(node, s, scope, doubtful)
      when :AND, :OR
        look(kids[0], s, scope, doubtful)
        kids.drop(1).each { |c| look(c, s, scope, true) }
      when :RESCUE, :ENSURE, :BLOCK, :BEGIN
        closes(node, scope)
        node.children.each { |c| inner(c, s, scope, s.first) }
      when :OP_ASGN_OR, :OP_ASGN_AND
        look(kids[0], s, scope, doubtful)
        look(kids.last, s, scope, :unset)
      when :MASGN
        look(kids[0], s, scope, doubtful)
        kids.drop(1).each { |c| look(c, s, scope, doubtful) }
      when :OP_ASGN1, :OP_ASGN2 then changed_by_operator(node, s, scope)
      else return false
      end
      true
    end

    def branch(node, s, scope, doubtful)
      head, *rest = node.children
      head = nil if node.type == :CASE2
      if node.type == :IN
        each_node(head) { |n| s.write(Path.new(:local, n.children[0], nil, nil, n.children[0].to_s), true) if ASSIGNED[n.type] == :local }
      else
        known = s.targets.size
        look(head, s, scope, doubtful)
        heads(node, head, s.targets.drop(known))
      end
      if %i[WHILE UNTIL].include?(node.type)
        s.last = [s.last, node.last_lineno].max unless s.targets.empty?
        rest = rest.first(1)
      end
      last = [node.first_lineno, *(head.last_lineno if head.is_a?(NODE))].max
      rest.each { |c| inner(c, s, scope, last) }
    end

    # What the head of a statement writes to.
    def heads(node, head, targets)
      loops = %i[WHILE UNTIL].include?(node.type)
      targets.each do |t|
        t.head ||= loops ? node.first_lineno == node.last_lineno ? :line : :loop : :branch
        t.doubtful, t.at = true, head.first_lineno if loops && node.children[2] == false # begin … end while
      end
    end

    # a[i] += x, a.b ||= x
    def changed_by_operator(node, s, scope)
      base = path_of(node.children[0])
      s.calls
      if node.type == :OP_ASGN2
        name = node.children[2]
        s.attributes << name
        s.read(Path.new(:attr, name, base, nil, "#{base.text}.#{name}")) if base
      else
        key = single(node.children[2])
        text = "#{text_of(node.children[0])}[#{text_of(key)}]" if key
        s.read(Path.new(:element, nil, base, key_of(key), text)) if base && key && key_of(key) != :unknown
      end
      look(node.children[0], s, scope, false) unless base
      node.children[1..].each { |c| look(c, s, scope, false) }
    end

    def called(node, s)
      case node.type
      when :RETURN then s.returns = true
      when :ATTRASGN
        s.attributes << node.children[1].to_s.chomp("=").to_sym
        s.calls
      when :CALL, :QCALL, :FCALL, :VCALL, :SUPER, :ZSUPER, :YIELD
        s.calls(node.children.find { |c| c.is_a?(Symbol) })
      when :OPCALL then s.calls unless OPERATORS.include?(node.children[1])
      end
    end

    # The path that an expression is; nil for any other.
    def path_of(node)
      return nil unless node.is_a?(NODE)
      return Path.new(READ[node.type], node.children[0], nil, nil, text_of(node)) if READ.key?(node.type)

      case node.type
      when :SELF then Path.new(:self, nil, nil, nil, "self")
      when :VCALL then Path.new(:attr, node.children[0], Path.new(:self, nil, nil, nil, "self"), nil, text_of(node))
      when :CALL, :QCALL then member(node)
      end
    end

    def member(node)
      receiver, name, given = node.children
      base = path_of(receiver) or return nil
      return Path.new(:attr, name, base, nil, text_of(node)) if given.nil?
      return nil unless name == :[]

      key = key_of(single(given))
      key == :unknown ? nil : Path.new(:element, nil, base, key, text_of(node))
    end

    # The only one of a list.
    def single(list)
      return nil unless list.is_a?(NODE) && %i[LIST ARRAY].include?(list.type)

      kids = list.children.compact
      kids.size == 1 ? kids[0] : nil
    end

    # A key as a path, or in a list as itself.
    def key_of(node)
      return :unknown unless node.is_a?(NODE)
      return [node.children[0]] if LITERALS.include?(node.type)
      return [nil] if node.type == :NIL

      path_of(node) || :unknown
    end

    def text_of(node)
      return "" unless node.is_a?(NODE)

      first, last = node.first_lineno - 1, node.last_lineno - 1
      lines = @lines[first..last] or return ""
      text = lines.join.byteslice(node.first_column, lines[0..-2].sum(&:bytesize) + node.last_column - node.first_column)
      text.to_s.gsub(/\s*\n\s*/, "")
    end
  end
end
