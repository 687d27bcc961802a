# frozen_string_literal: true

module AidbRecorder
  # What was perhaps meant by a name that there is not.
  module Nearest
    MOST = 2000 # files that are read
    SKIPPED = %w[vendor node_modules .git .bundle tmp log coverage].freeze

    module_function

    # The nearest of some names, in words; nil where none is near.
    def like(name, names)
      return nil unless defined?(::DidYouMean::SpellChecker)

      near = ::DidYouMean::SpellChecker.new(dictionary: names.map(&:to_s).uniq).correct(name.to_s).first(3)
      near.empty? ? nil : near.join(" or ")
    end

    def of_failure(error)
      receiver = error.receiver
      names = Core.type(receiver).instance_methods + Core.ivars(receiver)
      like(error.name, names)
    rescue ArgumentError
      nil
    end

    # The methods that files below some directories define: [path, name].
    def functions(roots)
      files(roots).flat_map do |path|
        found = []
        defined(RubyVM::AbstractSyntaxTree.parse_file(path), "", path, found)
        found
      rescue SyntaxError, SystemCallError, ArgumentError, EncodingError
        []
      end
    end

    # Says that one of these files defines a method of a name, as far as that is written there.
    def defines?(roots, name)
      definition = /\bdef[ \t]+(?:[[:word:].]+\.)?#{Regexp.escape(name)}(?![[:word:]?!=])/
      files(roots).any? { |path| File.read(path, encoding: "UTF-8").scrub.match?(definition) }
    rescue SystemCallError
      false
    end

    def files(roots)
      found = []
      roots.each do |root|
        todo = [root]
        while (dir = todo.shift) && found.size < MOST
          Dir.children(dir).sort.each do |name|
            path = File.join(dir, name)
            if File.directory?(path) && !File.symlink?(path)
              todo << path unless name.start_with?(".") || SKIPPED.include?(name)
            elsif name.end_with?(".rb")
              found << path
            end
          end
        end
      rescue SystemCallError
        next
      end
      found.first(MOST)
    end

    def defined(node, owner, path, found)
      return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

      case node.type
      when :CLASS, :MODULE
        name = constant(node.children[0])
        owner = owner.empty? ? name : "#{owner}::#{name}"
      when :DEFN then found << [path, owner.empty? ? node.children[0].to_s : "#{owner}##{node.children[0]}"]
      when :DEFS then found << [path, "#{owner.empty? ? 'main' : owner}.#{node.children[1]}"]
      end
      node.children.each { |c| defined(c, owner, path, found) }
    end

    def constant(node)
      node.children.map { |c| c.is_a?(RubyVM::AbstractSyntaxTree::Node) ? constant(c) : c.to_s }.reject(&:empty?).join("::")
    end
  end
end
