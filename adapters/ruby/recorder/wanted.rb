# frozen_string_literal: true

module AidbRecorder
  # Which writes are asked about: to everything, or to what an expression ends in.
  class Wanted
    def initialize(wish, stacks)
      @all = wish["all"]
      return if @all

      @path = Source.expression(wish["expression"].strip) or raise Refused.new("#{wish['expression']} is no place that can be written to", "expression")
      @home = home(stacks, wish["file"], wish["line"].to_i) if bare? && wish["file"].to_s != ""
      @kind = kind
      @text = @path.text
      @file = File.realpath(wish["file"]) if wish["file"].to_s != "" && File.exist?(wish["file"])
      @line = wish["line"].to_i
      @relevant = {}.compare_by_identity
    end

    # What an object is written to by its other names is looked for.
    def by_any_name!
      @by_any_name = true
    end

    def all?
      @all
    end

    attr_reader :path, :text, :file, :line

    def element?
      @kind == :element
    end

    # Says that this is the statement at which it is asked.
    def at?(path, line)
      line == @line && path == @file
    end

    # What a statement may name that is asked about: it may be changed by another name then.
    def named(statement)
      [*statement.bases, *statement.reads].select { |p| held?(p) }
    end

    # Says that a statement may write to what is asked about.
    def relevant?(statement)
      return true if @all

      @relevant.fetch(statement) do
        @relevant[statement] = statement.targets.any? { |t| target?(t.path) } || aside?(statement) || holds?(statement) || @by_any_name && (statement.risky? || named(statement).any?)
      end
    end

    # Says that a variable that a statement names as its target may be meant.
    def target?(path)
      return true if @all

      case @kind
      when :local then path.kind == :local && path.name == @path.name
      when :member then path.kind == :ivar && path.name.to_s.delete_prefix("@") == member
      when :element then false
      else path.kind == @kind && path.name == @path.name
      end
    end

    # The same, of a local in a scope: another function's has nothing to do with it.
    def own?(scope, path)
      return true if @all || path.kind != :local || @home.nil?

      hops = scope.hops(path.name) or return false
      hops.times { scope = scope.outer }
      scope.equal?(@home)
    end

    # Says that a statement may write to a member that it does not name.
    def aside?(statement)
      return true if @all

      case @kind
      when :element then statement.risky?
      when :member then statement.by_name? || statement.attributes.include?(member.to_sym)
      else false
      end
    end

    # Says that a statement may change what lies in the object that is asked about.
    def holds?(statement)
      !@all && (@kind != :element || @path.key.is_a?(Array)) && statement.risky? && statement.bases.any? { |b| held?(b) }
    end

    def held?(path)
      @kind == :local ? path.kind == :local && path.name == @path.name : path.kind != :local && last(path) == last(@path)
    end

    # Says that a place is meant which no target names.
    def place?(place)
      return true if @all

      case @kind
      when :member then place.start_with?("o") && place.end_with?(".@#{member}", ".#{member}")
      when :element then place.end_with?(@path.key.is_a?(Array) ? "[#{Show.text(@path.key[0], 100)[0]}]" : "]", "[*]")
      when :local then false
      else place.end_with?(" #{@path.name}", ".#{@path.name}")
      end
    end

    private

    # It is a name by itself, of a local or of a method without a receiver.
    def bare?
      @path.kind == :attr && @path.base.kind == :self && @path.text == @path.name.to_s
    end

    def kind
      case @path.kind
      when :ivar then :member
      when :attr then bare? && (@home || !@located) ? :local : :member
      when :self then raise Refused.new("self is no place that can be written to", "expression")
      else @path.kind
      end
    end

    # The scope at which a local is at home; nil where none around the line has it.
    def home(stacks, file, line)
      @located = true
      scope = stacks.source(File.realpath(file)).around(line)
      hops = scope&.hops(@path.name) or return nil
      hops.times { scope = scope.outer }
      scope
    rescue SystemCallError
      nil
    end

    def member
      @member ||= @path.name.to_s.delete_prefix("@")
    end

    def last(path)
      path.kind == :element ? path.text[/\[[^\[]*\]\z/] : path.name.to_s.delete_prefix("@")
    end
  end
end
