import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.ARQ;
import org.apache.jena.query.Dataset;
import org.apache.jena.query.DatasetFactory;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryCancelledException;
import org.apache.jena.query.QueryException;
import org.apache.jena.query.QueryExecution;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.query.ResultSetFormatter;
import org.apache.jena.query.Syntax;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.ErrorHandlerFactory;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.sparql.algebra.Op;
import org.apache.jena.sparql.core.DatasetDescription;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DynamicDatasets;
import org.apache.jena.sparql.engine.Plan;
import org.apache.jena.sparql.engine.QueryEngineFactory;
import org.apache.jena.sparql.engine.QueryEngineRegistry;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.engine.ref.QueryEngineRef;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sparql.util.Symbol;

/**
 * SPARQL queries over HTTP, answered by Jena's ARQ from a dataset in memory: {@code ArqServer PORT TIME_LIMIT}.
 *
 * <p>{@code /query} takes queries by GET and POST (a form or application/sparql-query, with default-graph-uri,
 * named-graph-uri and timeout, in milliseconds); {@code /reference} does the same with the engine that follows the
 * specification's algebra word by word. {@code /data?graph=IRI} takes PUT (N-Triples) and DELETE. Listens on 127.0.0.1
 * only. TIME_LIMIT is the longest that a query may take, in milliseconds; 0 stands for no limit.
 */
public final class ArqServer {
    private static final int THREADS = 8;
    private static final int HELD_BACK = 1 << 20;
    private static final Symbol REFERENCE = Symbol.create("pylf:reference");

    private final DatasetGraph data = DatasetGraphFactory.createTxnMem();
    private final long limit;

    private ArqServer(long limit) {
        this.limit = limit;
    }

    public static void main(String[] arguments) throws IOException {
        ARQ.init();
        ARQ.getContext().set(ARQ.httpServiceAllowed, false);
        QueryEngineRegistry.addFactory(new ReferenceEngine());
        ArqServer server = new ArqServer(Long.parseLong(arguments[1]));
        InetAddress here = InetAddress.getByName("127.0.0.1");
        HttpServer http = HttpServer.create(new InetSocketAddress(here, Integer.parseInt(arguments[0])), 128);
        http.setExecutor(Executors.newFixedThreadPool(THREADS));
        http.createContext("/query", exchange -> handled(exchange, e -> server.query(e, false)));
        http.createContext("/reference", exchange -> handled(exchange, e -> server.query(e, true)));
        http.createContext("/data", exchange -> handled(exchange, server::data));
        http.start();
        System.out.println("serving");
    }

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException, Refusal;
    }

    /** What is answered with a status of its own. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refusal(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    private static void handled(HttpExchange exchange, Handler handler) {
        exchange.getResponseHeaders().set("Server", "Apache Jena ARQ/" + ARQ.VERSION);
        try {
            handler.handle(exchange);
        } catch (Refusal refusal) {
            fail(exchange, refusal.status, refusal.getMessage());
        } catch (QueryCancelledException late) {
            fail(exchange, 503, "Query timed out");
        } catch (QueryException wrong) {
            fail(exchange, 400, String.valueOf(wrong.getMessage()));
        } catch (StackOverflowError deep) {
            fail(exchange, 500, "the query is nested too deeply");
        } catch (IOException | RuntimeException | OutOfMemoryError broken) {
            fail(exchange, 500, broken.toString());
        } finally {
            exchange.close();
        }
    }

    private static void fail(HttpExchange exchange, int status, String message) {
        if (exchange.getResponseCode() != -1) {
            System.err.println("an answer was cut off: " + message);
            return; // its beginning has been sent; the client sees that it does not end
        }
        byte[] text = (message + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        try {
            exchange.sendResponseHeaders(status, text.length);
            exchange.getResponseBody().write(text);
        } catch (IOException gone) {
            System.err.println("nobody waits for the answer: " + gone.getMessage());
        }
    }

    private void query(HttpExchange exchange, boolean reference) throws IOException, Refusal {
        Map<String, List<String>> parameters = parameters(exchange);
        if (!parameters.containsKey("query")) {
            throw new Refusal(400, "there is no parameter 'query'");
        }
        Query query;
        try {
            query = QueryFactory.create(parameters.get("query").get(0), Syntax.syntaxSPARQL_11);
        } catch (StackOverflowError deep) {
            throw new Refusal(400, "the query is nested too deeply");
        }
        data.begin(ReadWrite.READ);
        try (QueryExecution execution = execution(query, parameters, reference)) {
            Body body = new Body(exchange);
            if (query.isSelectType()) {
                body.type("application/sparql-results+json");
                ResultSetFormatter.outputAsJSON(body, execution.execSelect());
            } else if (query.isAskType()) {
                body.type("application/sparql-results+json");
                ResultSetFormatter.outputAsJSON(body, execution.execAsk());
            } else if (query.isConstructType()) {
                body.type("application/n-triples");
                RDFDataMgr.write(body, execution.execConstruct(), Lang.NTRIPLES);
            } else {
                throw new Refusal(400, "only SELECT, ASK and CONSTRUCT are answered");
            }
            body.close();
        } finally {
            data.end();
        }
    }

    private QueryExecution execution(Query query, Map<String, List<String>> parameters, boolean reference)
            throws Refusal {
        long patience = limit;
        if (parameters.containsKey("timeout")) {
            try {
                long asked = Long.parseLong(parameters.get("timeout").get(0));
                patience = limit == 0 ? asked : Math.min(asked, limit);
            } catch (NumberFormatException odd) {
                throw new Refusal(400, "'timeout' is no number of milliseconds");
            }
        }
        Dataset asked = DatasetFactory.wrap(asked(query, parameters));
        QueryExecution execution = patience > 0
                ? QueryExecution.dataset(asked).query(query).timeout(patience, java.util.concurrent.TimeUnit.MILLISECONDS).build()
                : QueryExecution.dataset(asked).query(query).build();
        execution.getContext().set(REFERENCE, reference);
        return execution;
    }

    /** The dataset that the request names, or else the query; the whole one where neither names any. */
    private DatasetGraph asked(Query query, Map<String, List<String>> parameters) {
        List<String> merged = parameters.getOrDefault("default-graph-uri", List.of());
        List<String> named = parameters.getOrDefault("named-graph-uri", List.of());
        if (merged.isEmpty() && named.isEmpty()) {
            merged = query.getGraphURIs();
            named = query.getNamedGraphURIs();
        }
        if (merged.isEmpty() && named.isEmpty()) {
            return data;
        }
        return DynamicDatasets.dynamicDataset(DatasetDescription.create(merged, named), data, false);
    }

    private void data(HttpExchange exchange) throws IOException, Refusal {
        List<String> graphs = decoded(exchange.getRequestURI().getRawQuery()).get("graph");
        if (graphs == null) {
            throw new Refusal(400, "there is no parameter 'graph'");
        }
        Node graph = NodeFactory.createURI(graphs.get(0));
        String method = exchange.getRequestMethod();
        if (!method.equals("PUT") && !method.equals("DELETE")) {
            throw new Refusal(405, "only PUT and DELETE");
        }
        data.begin(ReadWrite.WRITE);
        try {
            data.deleteAny(graph, Node.ANY, Node.ANY, Node.ANY);
            if (method.equals("PUT")) {
                RDFParser.source(exchange.getRequestBody())
                        .lang(Lang.NTRIPLES)
                        .checking(false) // terms are taken as they are
                        .errorHandler(ErrorHandlerFactory.errorHandlerStrictNoLogging)
                        .parse(StreamRDFLib.graph(data.getGraph(graph)));
            }
            data.commit();
        } catch (RiotException wrong) {
            data.abort();
            throw new Refusal(400, String.valueOf(wrong.getMessage()));
        } catch (RuntimeException | Error broken) {
            data.abort();
            throw broken;
        } finally {
            data.end();
        }
        exchange.sendResponseHeaders(204, -1);
    }

    private static Map<String, List<String>> parameters(HttpExchange exchange) throws IOException, Refusal {
        Map<String, List<String>> parameters = decoded(exchange.getRequestURI().getRawQuery());
        switch (exchange.getRequestMethod()) {
            case "GET":
                return parameters;
            case "POST":
                break;
            default:
                throw new Refusal(405, "only GET and POST");
        }
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")).split(";")[0].trim();
        String body;
        try (InputStream stream = exchange.getRequestBody()) {
            body = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        switch (type.toLowerCase(java.util.Locale.ROOT)) {
            case "application/x-www-form-urlencoded":
                decoded(body).forEach((name, values) ->
                        parameters.computeIfAbsent(name, unused -> new ArrayList<>()).addAll(values));
                return parameters;
            case "application/sparql-query":
                parameters.put("query", List.of(body));
                return parameters;
            default:
                throw new Refusal(415, "a query comes as application/x-www-form-urlencoded or application/sparql-query");
        }
    }

    private static Map<String, List<String>> decoded(String text) throws Refusal {
        Map<String, List<String>> parameters = new HashMap<>();
        if (text == null || text.isEmpty()) {
            return parameters;
        }
        try {
            for (String pair : text.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                parameters.computeIfAbsent(URLDecoder.decode(name, StandardCharsets.UTF_8), unused -> new ArrayList<>())
                        .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException odd) {
            throw new Refusal(400, "the parameters are not form-encoded: " + odd.getMessage());
        }
        return parameters;
    }

    /** An answer's body: held back while it is short, so that what fails early fails with a status; then streamed. */
    private static final class Body extends OutputStream {
        private final HttpExchange exchange;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private OutputStream sent;

        Body(HttpExchange exchange) {
            this.exchange = exchange;
        }

        void type(String type) {
            exchange.getResponseHeaders().set("Content-Type", type);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            if (sent == null && held.size() + count <= HELD_BACK) {
                held.write(bytes, from, count);
                return;
            }
            if (sent == null) {
                exchange.sendResponseHeaders(200, 0);
                sent = exchange.getResponseBody();
                held.writeTo(sent);
            }
            sent.write(bytes, from, count);
        }

        @Override
        public void close() throws IOException {
            if (sent == null) {
                exchange.sendResponseHeaders(200, held.size());
                sent = exchange.getResponseBody();
                held.writeTo(sent);
            }
            sent.close();
        }
    }

    /** The reference engine, for the queries that ask for it. */
    private static final class ReferenceEngine implements QueryEngineFactory {
        private final QueryEngineFactory engine = QueryEngineRef.getFactory();

        @Override
        public boolean accept(Query query, DatasetGraph dataset, Context context) {
            return context.isTrue(REFERENCE);
        }

        @Override
        public Plan create(Query query, DatasetGraph dataset, Binding input, Context context) {
            return engine.create(query, dataset, input, context);
        }

        @Override
        public boolean accept(Op op, DatasetGraph dataset, Context context) {
            return context.isTrue(REFERENCE);
        }

        @Override
        public Plan create(Op op, DatasetGraph dataset, Binding input, Context context) {
            return engine.create(op, dataset, input, context);
        }
    }
}
