#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  /// Standard methods are sent unchanged.
  static let methods = ConformanceCase("methods", "standard methods are sent unchanged") { context in
    try await context.origin { place in
      for method: HTTPRequest.Method in [.get, .post, .put, .patch, .delete, .options] {
        let response = try await context.send(place.request("/echo", method: method))
        try context.expect(response.head.value("x-method"), is: method.rawValue, "the method")
      }
    }
  }

  /// A nonstandard method is sent unchanged.
  static let ownMethod = ConformanceCase("ownMethod", "a nonstandard method is sent unchanged") {
    context in
    try await context.origin { place in
      guard let method = HTTPRequest.Method(rawValue: "PURGE") else { return }
      let response = try await context.send(place.request("/echo", method: method))
      try context.expect(response.head.value("x-method"), is: "PURGE", "the method")
    }
  }

  /// Path and query are sent byte by byte as written.
  static let target = ConformanceCase("target", "path and query are sent as written") {
    context in
    try await context.origin { place in
      for path in ["/echo/a%20b;v=1?q=1%2F2&empty=&x&%C3%A4=+", "/echo?", "/echo/../up//twice?a?b"] {
        let response = try await context.send(place.request(path))
        try context.expect(response.head.value("x-target"), is: path, "the target")
        try context.expect(response.head.value("x-authority"), is: place.authority, "the authority")
      }
    }
  }

  /// Request header fields are sent, repeated ones in order.
  static let requestFields = ConformanceCase(
    "requestFields", "request header fields are sent, repeated ones in order"
  ) { context in
    try await context.origin { place in
      var request = place.request("/echo")
      request.head.headerFields.append(contentsOf: HTTPFields([("x-probe", "one"), ("x-probe", "two")]))
      let echoed = try await context.send(request).head.value("x-echo-x-probe")
      try context.expect(
        echoed == "one|two" || echoed == "one, two" || echoed == "one,two", "x-probe is \(echoed ?? "absent")"
      )
    }
  }

  /// Response header fields are received, repeated ones separately and in order.
  static let answerFields = ConformanceCase(
    "answerFields", "response header fields are received, repeated ones separately and in order"
  ) { context in
    try await context.origin { place in
      let head = try await context.send(place.request("/fields")).head
      try context.expect(head.value("x-one"), is: "1", "x-one")
      try context.expect(head.headerFields[values: .setCookie], is: ["a=1", "b=2"], "set-cookie")
    }
  }

  /// Every status code is a response and not an error; redirects are not followed.
  static let statuses = ConformanceCase(
    "statuses", "every status code is a response and not an error, and redirects are not followed"
  ) { context in
    try await context.origin { place in
      for status in [200, 201, 206, 301, 302, 307, 308, 400, 404, 418, 429, 500, 503, 599] {
        let response = try await context.send(place.request("/status/\(status)"))
        try context.expect(response.status.code, is: status, "the status")
      }
    }
  }

  /// The response to HEAD announces the length of the content and has no content.
  static let headMethod = ConformanceCase(
    "headMethod", "the response to HEAD announces the length of the content and has no content"
  ) { context in
    try await context.origin { place in
      let response = try await context.send(place.request("/pattern/1000", method: .head))
      try context.expect(response.head.headerFields[.contentLength], is: "1000", "Content-Length")
      try context.expect(try await context.read(response.body).count, is: 0, "the content's length")
    }
  }

  /// 204 and 304 have no content, regardless of their header fields.
  static let bodiless = ConformanceCase("bodiless", "204 and 304 have no content") { context in
    try await context.origin { place in
      for delivery: RequestOptions.Delivery in [.buffered(upTo: 10), .streamed] {
        for status in [204, 304] {
          let response = try await context.send(place.request("/status/\(status)", delivery: delivery))
          try context.expect(response.status.code, is: status, "the status")
          try context.expect(try await context.read(response.body).count, is: 0, "the content's length")
        }
      }
    }
  }

  /// Informational responses are skipped.
  static let informational = ConformanceCase(
    "informational", "informational responses are skipped", needs: .wire
  ) { context in
    try await context.origin { place in
      let response = try await context.send(place.request("/early"))
      try context.expect(response.status.code, is: 200, "the status")
      try context.expect(try await context.read(response.body), is: Array("late".utf8), "the content")
    }
  }

  /// A POST without content announces a length of 0.
  static let emptyPost = ConformanceCase(
    "emptyPost", "a POST without content announces a length of 0", needs: .wire
  ) { context in
    try await context.server { server in
      _ = try await context.send(server.place.request("/echo", method: .post))
      let received = try await server.takeRequest()
      try context.expect(received.head.headerFields[.contentLength], is: "0", "Content-Length")
    }
  }

  static let heads = [
    methods, ownMethod, target, requestFields, answerFields, statuses, headMethod, bodiless, informational,
    emptyPost,
  ]
}
#endif
