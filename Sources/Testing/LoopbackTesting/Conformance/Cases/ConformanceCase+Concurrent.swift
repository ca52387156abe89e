#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  static func sendsMany(_ count: Int, _ context: ConformanceContext, to place: ConformancePlace) async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          let request = place.request("/echo?\(number)", method: .post, body: .text("body \(number)"))
          let response = try await context.send(request)
          try context.expect(response.head.value("x-target"), is: "/echo?\(number)", "the target")
          try context.expect(
            try await context.read(response.body), is: Array("body \(number)".utf8), "the content")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Each of several concurrent requests is sent once and gets its own response.
  static let ownAnswers = ConformanceCase(
    "ownAnswers", "each of 100 concurrent requests is sent once and gets its own response"
  ) { context in
    guard context.hasWire else {
      return try await context.origin { try await sendsMany(100, context, to: $0) }
    }
    try await context.server { server in
      try await sendsMany(100, context, to: server.place)
      try context.expect(server.counts.receivedRequests, is: 100, "the number of requests that arrived")
      let targets = Set(server.requests.compactMap(\.head.path))
      try context.expect(targets.count, is: 100, "the number of different requests that arrived")
      try await server.wait { $0.openExchanges == 0 }
    }
  }

  /// Cancelling one request does not affect others.
  static let cancelHarmsNobody = ConformanceCase(
    "cancelHarmsNobody", "cancelling one of several concurrent requests does not affect the others",
    needs: .wire
  ) { context in
    try await context.server { server in
      server.enqueue(LoopbackResponse().failing(.responseStart, .stall))
      let lost = Task { try await context.failure(server.place.request("/lost")) }
      try await server.wait { $0.receivedRequests == 1 }
      async let others: Void = sendsMany(20, context, to: server.place)
      lost.cancel()
      try context.expect(try await lost.value.kind, is: .cancelled(.task), "the kind")
      try await others
    }
  }

  static let concurrent = [ownAnswers, cancelHarmsNobody]
}
#endif
