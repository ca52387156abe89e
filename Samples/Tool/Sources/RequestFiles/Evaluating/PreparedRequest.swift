/// A request with all placeholders replaced.
package struct PreparedRequest: Sendable {
  /// A header field, and its place in the file.
  package struct Field: Sendable {
    package let name: String
    package let value: String
    package let span: Span
  }

  /// A part of a multipart form.
  package struct Part: Sendable {
    package enum Content: Sendable {
      case text(String)
      case file(String, contentType: String?, Span)
    }

    package let name: String
    package let content: Content
  }

  /// A part of a content.
  package enum Piece: Sendable {
    case bytes([UInt8])
    /// A file, by its path.
    case file(String, Span)
  }

  package enum Content: Sendable {
    case pieces([Piece], contentType: String?)
    case form([(name: String, value: String)])
    case multipart([Part])
  }

  package let method: String
  package let methodSpan: Span
  package let url: String
  package let urlSpan: Span
  package var fields: [Field] = []
  package var content: Content?
  package let options: EntryOptions
}

extension Entry {
  /// Returns the options; those that set variables set them.
  package func options(in environment: inout Environment) throws(FileFault) -> EntryOptions {
    let options = try EntryOptions(self.options, in: environment)
    for (name, value) in options.variables { environment.set(name, value) }
    return options
  }

  /// Returns the request with its placeholders replaced.
  ///
  /// - Parameter readTemplate: Reads a file whose text has placeholders.
  package func prepared(
    _ options: EntryOptions, in environment: inout Environment,
    readTemplate: (_ path: String, _ span: Span) throws(FileFault) -> String
  ) throws(FileFault) -> PreparedRequest {
    var request = PreparedRequest(
      method: method, methodSpan: span, url: try urlText(in: environment), urlSpan: url.span, options: options
    )
    for field in fields {
      var value = try environment.text(field.value)
      let name = try environment.text(field.name)
      if name.lowercased() == "authorization" {
        let credentials = Self.credentials(value)
        if let credentials {
          value = "Basic " + Base64Text.text(Array(credentials.utf8))
          environment.hideCredentials(credentials, value)
        }
      }
      request.fields.append(.init(name: name, value: value, span: field.value.span))
    }
    for (name, value) in options.fields {
      request.fields.append(.init(name: name, value: value, span: span))
    }
    if !cookies.isEmpty {
      var pairs: [String] = []
      for cookie in cookies {
        pairs.append("\(try environment.text(cookie.name))=\(try environment.text(cookie.value))")
      }
      request.fields.append(
        .init(name: "Cookie", value: pairs.joined(separator: "; "), span: cookies[0].value.span))
    }
    if let user = try userText(options, in: environment) {
      let value = "Basic " + Base64Text.text(Array(user.utf8))
      environment.hideCredentials(user, value)
      request.fields.append(.init(name: "Authorization", value: value, span: self.user?.value.span ?? span))
    }
    request.content = try content(in: environment, readTemplate: readTemplate)
    return request
  }

  private func urlText(in environment: Environment) throws(FileFault) -> String {
    let text = try environment.text(url)
    guard !query.isEmpty else { return text }
    var pairs: [String] = []
    for parameter in query {
      let (name, value) = (try environment.text(parameter.name), try environment.text(parameter.value))
      pairs.append("\(PercentText.encoded(name))=\(PercentText.encoded(value))")
    }
    let (address, fragment) =
      text.firstIndex(of: "#").map { (text[..<$0], text[$0...]) } ?? (text[...], "")
    return address + (address.contains("?") ? "&" : "?") + pairs.joined(separator: "&") + fragment
  }

  private func userText(_ options: EntryOptions, in environment: Environment) throws(FileFault) -> String? {
    guard let user else { return options.user }
    return "\(try environment.text(user.name)):\(try environment.text(user.value))"
  }

  /// Returns the name and the password of "Basic NAME:PASSWORD" or "Basic NAME PASSWORD", as editors permit.
  private static func credentials(_ value: String) -> String? {
    let words = value.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.first?.lowercased() == "basic" else { return nil }
    if words.count == 3 { return "\(words[1]):\(words[2])" }
    return words.count == 2 && words[1].contains(":") ? words[1] : nil
  }

  private func content(
    in environment: Environment, readTemplate: (String, Span) throws(FileFault) -> String
  ) throws(FileFault) -> PreparedRequest.Content? {
    if let form {
      var fields: [(name: String, value: String)] = []
      for field in form {
        fields.append((try environment.text(field.name), try environment.text(field.value)))
      }
      return .form(fields)
    }
    if let multipart {
      var parts: [PreparedRequest.Part] = []
      for parameter in multipart {
        let content: PreparedRequest.Part.Content =
          switch parameter.content {
          case .text(let text): .text(try environment.text(text))
          case .file(let path, let contentType):
            .file(try environment.text(path), contentType: contentType, path.span)
          }
        parts.append(.init(name: try environment.text(parameter.name), content: content))
      }
      return .multipart(parts)
    }
    switch body {
    case nil: return nil
    case .bytes(let bytes, _): return .pieces([.bytes(bytes)], contentType: nil)
    case .file(let path): return .pieces([.file(try environment.text(path), path.span)], contentType: nil)
    case .pieces(let pieces, let lineEnd):
      return .pieces(
        try lines(pieces, lineEnd, in: environment, readTemplate: readTemplate), contentType: nil)
    case .text(let template, .json):
      return .pieces(
        [.bytes(Array(try environment.jsonText(template).utf8))], contentType: "application/json")
    case .text(let template, .graphQL):
      let query = JSONText.quoted(try environment.text(template))
      return .pieces([.bytes(Array("{\"query\":\(query)}".utf8))], contentType: "application/json")
    case .text(let template, let kind):
      return .pieces(
        [.bytes(Array(try environment.text(template).utf8))],
        contentType: kind == .xml ? "application/xml" : nil)
    }
  }

  private func lines(
    _ lines: [Body.Piece], _ lineEnd: String, in environment: Environment,
    readTemplate: (String, Span) throws(FileFault) -> String
  ) throws(FileFault) -> [PreparedRequest.Piece] {
    var pieces: [PreparedRequest.Piece] = []
    var text = ""
    for (index, line) in lines.enumerated() {
      if index > 0 { text += lineEnd }
      switch line {
      case .line(let template): text += try environment.text(template)
      case .file(let path, hasPlaceholders: false):
        pieces += [.bytes(Array(text.utf8)), .file(try environment.text(path), path.span)]
        text = ""
      case .file(let path, hasPlaceholders: true):
        let source = SourceText(
          name: "", text: try readTemplate(try environment.text(path), path.span))
        text += try Self.filled(source, in: environment, span: path.span)
      }
    }
    return pieces + [.bytes(Array(text.utf8))]
  }

  /// Returns the text of a file with its placeholders replaced; faults have the place of the file's name.
  private static func filled(
    _ source: SourceText, in environment: Environment, span: Span
  ) throws(FileFault) -> String {
    var cursor = TextCursor(source)
    var builder = TemplateBuilder()
    do throws(FileFault) {
      while let scalar = cursor.next {
        if let expression = try cursor.expression() {
          builder.append(expression)
        } else {
          builder.append(scalar)
          cursor.index += 1
        }
      }
      return try environment.text(builder.template(span))
    } catch {
      throw FileFault("In the file: \(error.message)", at: span)
    }
  }
}

extension Environment {
  /// Hides encoded credentials if they contain a secret.
  fileprivate mutating func hideCredentials(_ credentials: String, _ value: String) {
    if scrubber.text(credentials) != credentials { hide(String(value.dropFirst("Basic ".count))) }
  }
}
