public import Downloads
public import Interception

/// The form in which the caller of a manager's ``APIManager/load(_:for:cacheMode:reportingTo:)`` receives the
/// response.
///
/// ```swift
/// let page = try await houses.load(.output, for: HouseList.Params(city: "Lodi"))
/// let items = try await houses.load(.reformed(by: ListItems()), for: HouseList.Params(city: "Lodi"))
/// ```
public struct ResponseForm<A: API, Value>: Sendable {
  let load:
    @MainActor (APIManager<A>, A.Params?, CacheRule.Mode?, TransferMeter?) async throws(APIError) -> Value
}

extension ResponseForm where Value == A.Output {
  /// The output of the API.
  public static var output: ResponseForm {
    ResponseForm { manager, params, mode, meter throws(APIError) in
      try await manager.loadWhole(params, cacheMode: mode, reportingTo: meter).output
    }
  }
}

extension ResponseForm where Value == APIResponse {
  /// The response as received.
  public static var response: ResponseForm {
    ResponseForm { manager, params, mode, meter throws(APIError) in
      try await manager.loadWhole(params, cacheMode: mode, reportingTo: meter).response
    }
  }
}

extension ResponseForm {
  /// The response converted by a reformer, which runs on the main actor; if it throws an error, the load
  /// fails with ``APIError/Kind/malformed(field:)``.
  @MainActor public static func reformed(by reformer: some Reformer<Value>) -> ResponseForm {
    ResponseForm { manager, params, mode, meter throws(APIError) in
      try await manager.loadWhole(params, cacheMode: mode, reportingTo: meter).response
        .reformed(by: reformer, from: manager.identity)
    }
  }
}

extension ResponseForm where Value == FileDownload.Outcome {
  /// The content in a file, which continues an earlier download of it.
  ///
  /// It is ``APIClient/download(_:_:to:identity:reportingTo:)`` with the manager's hooks, in-flight strategy
  /// and cancellation, and without a cache mode. ``APIManager/lastResponse`` and ``APIManager/state``
  /// are unchanged, because the content is in the file; hooks receive a response without content.
  ///
  /// - Parameter identity: Identifies the content; nil for its URL.
  public static func file(at path: String, identity: String? = nil) -> ResponseForm {
    ResponseForm { manager, params, _, meter throws(APIError) in
      defer { meter?.finish() }
      return try await manager.loadTransfer(params) { client, api, start throws(APIError) in
        try await client.end(start, of: api, to: path, identity: identity, reportingTo: meter)
      }
    }
  }
}

extension ResponseForm where Value == Response {
  /// The content as a stream, as soon as the head of the response has arrived.
  ///
  /// It is ``APIClient/stream(_:_:reportingTo:)`` with the manager's hooks and in-flight strategy, and
  /// without a cache mode. ``APIManager/lastResponse`` and ``APIManager/state`` are unchanged, and hooks
  /// receive a response without content. Once the head has arrived, the stream belongs to the caller: the
  /// manager no longer cancels it. The meter is finished at the end of the stream.
  public static var stream: ResponseForm {
    ResponseForm { manager, params, _, meter throws(APIError) in
      do throws(APIError) {
        return try await manager.loadTransfer(params) { client, api, start throws(APIError) in
          try await client.endAtHead(start, of: api, reportingTo: meter)
        }
      } catch {
        meter?.finish()
        throw error
      }
    }
  }
}
