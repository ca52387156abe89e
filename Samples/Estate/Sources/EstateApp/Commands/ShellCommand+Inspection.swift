import Switchyard

extension ShellCommand {
  /// The commands that show and change what the mediator knows.
  static let inspection = [
    ShellCommand("routes", "lists the routes and who may open them") { shell, _ in
      for route in shell.mediator.routes { shell.say("  " + route.line) }
    },
    ShellCommand("check", taking: "URL", "shows the parts of a URL and where it leads, without opening it") {
      shell, url in
      shell.check(String(url ?? ""))
    },
    ShellCommand("objects", "lists what was created at its first use") { shell, _ in
      let names = shell.mediator.loadedObjects
      shell.say(names.isEmpty ? "  nothing was created yet" : "  " + names.joined(separator: ", "))
    },
    ShellCommand("release", taking: "[NAME]", "releases one of these objects, or all") { shell, name in
      shell.releaseObjects(name.map(String.init))
    },
    ShellCommand("redirects", taking: "revert|off", "returns to the redirect table before, or to none") {
      shell, choice in
      switch choice {
      case "revert": shell.redirects.revert()
      case "off": shell.redirects.removeAll()
      default: shell.say("  ! say redirects revert or redirects off")
      }
    },
  ]
}

extension EstateShell {
  /// Prints the parts of a URL, and where it leads for code of the app and for a link from outside.
  func check(_ text: String) {
    do {
      let url = try RouteURL(text)
      say("  \(url.scheme), \(([url.host] + url.segments).joined(separator: " / "))")
      for field in url.query { say("  ? \(field.name) = \(field.value)") }
      if let fragment = url.fragment { say("  # \(fragment)") }
      if let found = mediator.lookUp(text) { say("  it matches \(found.pattern)") }
      let route = try mediator.resolve(text)
      say("  the app opens \(route.name) of \(route.module)")
    } catch {
      say("  ! \(error)")
    }
    let isOpen = mediator.canOpen(text, origin: .external(source(of: text)))
    say("  a link from outside \(isOpen ? "is opened" : "is refused")")
  }

  /// Releases one object, or all without a name; the next use creates it again.
  func releaseObjects(_ name: String?) {
    guard let name else {
      say("  released: \(mediator.releaseAllObjects().joined(separator: ", "))")
      return
    }
    do {
      say(try mediator.releaseObject(name) ? "  released" : "  there was nothing to release")
    } catch {
      say("  ! \(error)")
    }
  }
}

extension RouteDescription {
  /// The route in one line: its URLs, who may open them, and what they do not need.
  fileprivate var line: String {
    var words = [([pattern ?? name] + aliases).joined(separator: " or ")]
    switch reach {
    case .native: words.append("by value")
    case .moduleOnly: words.append("only from \(module)")
    case .app: words.append("from the app")
    case .link:
      words.append("from the app and from " + Set(sources.map(\.kind)).sorted().joined(separator: ", "))
    }
    let optional = parameters.filter(\.isOptional).map(\.name)
    if !optional.isEmpty { words.append("without \(optional.joined(separator: ", ")) too") }
    if priority != 0 { words.append("priority \(priority)") }
    return words.joined(separator: "; ")
  }
}
