public import Downloads
import HTTPTypes
public import Interception

extension APIManager {
  /// Downloads the API's content to a file, and resumes an earlier download of it; the delegate is not
  /// called.
  ///
  /// It is ``APIClient/download(_:_:to:identity:reportingTo:)`` with the manager's hooks, in-flight strategy
  /// and cancellation. ``lastResponse`` and ``lastOutput`` are unchanged, because the content is in the file;
  /// hooks receive a response without content.
  public func download(
    _ params: A.Params, to path: String, identity: String? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> FileDownload.Outcome {
    defer { meter?.finish() }
    return try await transfer(params) { [client, details = A.endpoint.details] request in
      do throws(APIError) {
        let outcome = try await client.download(
          request, of: details, to: path, identity: identity, reportingTo: meter)
        let head = APIResponse(
          api: details.identity, request: request.id, status: outcome.head.status,
          headerFields: outcome.head.headerFields, bytes: [], exchange: outcome.exchange)
        return .success((head, outcome))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Loads the API and returns its response as soon as the head has arrived, with the content as a stream;
  /// the delegate is not called.
  ///
  /// It is ``APIClient/stream(_:_:reportingTo:)`` with the manager's hooks and in-flight strategy.
  /// ``lastResponse`` and ``lastOutput`` are unchanged, and hooks receive a response without content. Once
  /// the head has arrived, the stream belongs to the caller: the manager no longer cancels it.
  public func stream(
    _ params: A.Params, reportingTo meter: TransferMeter? = nil
  ) async throws(APIError) -> Response {
    do throws(APIError) {
      return try await transfer(params) { [client, api] request in
        do throws(APIError) {
          let response = try await client.stream(request, of: api, reportingTo: meter)
          let head = APIResponse(
            api: A.identity, request: request.id, status: response.status,
            headerFields: response.head.headerFields, bytes: [], exchange: response.exchange)
          return .success((head, response))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      meter?.finish()
      throw error
    }
  }

  private typealias TransferResult<Value> = Result<(response: APIResponse, value: Value), APIError>

  /// Runs a transfer between the hooks of the manager.
  private func transfer<Value: Sendable>(
    _ initial: A.Params, _ run: @escaping @Sendable (Request) async -> TransferResult<Value>
  ) async throws(APIError) -> Value {
    let hooks = allHooks
    guard !Task.isCancelled else {
      let failure = cancelled("The caller's task was already cancelled.", nil)
      return try delivered(TransferResult<Value>.failure(failure), hooks)
    }
    let call: APICall
    switch startTransfer(initial, hooks) {
    case .success(let started): call = started
    case .failure(.ignored(let earlier)):
      throw LoadRefusal.ignored(inFlight: earlier).error(of: identity.api)
    case .failure(let refusal):
      return try delivered(TransferResult<Value>.failure(refusal.error(of: identity.api)), hooks)
    }
    let request = call.request
    let task = Task { @concurrent in await run(request) }
    transfers[request.id] = InFlightTransfer(request: request) { task.cancel() }
    for hook in hooks { hook.didSend(call) }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    transfers[request.id] = nil
    return try delivered(result, hooks)
  }

  private func startTransfer(
    _ initial: A.Params, _ hooks: [any APIHooks]
  ) -> Result<APICall, LoadRefusal> {
    var params = initial
    var request: Request
    do throws(ParamsError) {
      request = try client.prepareTransfer(api, &params)
    } catch {
      return .failure(.invalid(error))
    }
    let call = APICall(manager: identity, request: request, params: params)
    let decision = client.decide(
      on: &request, to: A.endpoint.details, veto: { hooks.first { !$0.shouldLoad(call) }?.name },
      inFlight: { [request] in requestsInFlight(before: request) })
    for earlier in decision.superseded {
      cancel(earlier, because: "A later load of the same manager superseded the request.")
    }
    switch decision.action {
    case .send: return .success(call)
    case .refuse(let refusal): return .failure(refusal)
    // A transfer has one reader.
    case .join(let earlier): return .failure(.ignored(inFlight: earlier))
    }
  }

  /// Passes a result by the hooks, and returns its value unless one of them withholds it.
  private func delivered<Value>(
    _ result: TransferResult<Value>, _ hooks: [any APIHooks]
  ) throws(APIError) -> Value {
    let raw = result.map(\.response)
    for hook in hooks { hook.didReceive(raw, of: self) }
    if let withheld = withholding(raw, hooks) {
      for hook in hooks { hook.didWithhold(raw, vetoedBy: withheld.by, of: self) }
      throw withheld.error
    }
    notify(raw, hooks)
    return try result.get().value
  }
}

/// A download or a streamed response whose head has not arrived yet.
struct InFlightTransfer: Sendable {
  let request: Request
  let cancel: @Sendable () -> Void
}
